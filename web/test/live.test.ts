import assert from "node:assert/strict";
import test from "node:test";
import { liveAddress, livePoses } from "../src/served/live";

test("events come from the page's own server alone", () => {
  assert.equal(liveAddress("http://127.0.0.1:8080/car.html"), undefined);
  assert.equal(liveAddress("http://127.0.0.1:8080/car.html?live=events"), "http://127.0.0.1:8080/events");
  assert.equal(liveAddress("http://127.0.0.1:8080/?live=https://elsewhere.example/x"), undefined);
  assert.equal(liveAddress("http://127.0.0.1:8080/?live=//elsewhere.example/x"), undefined);
  assert.equal(liveAddress("http://127.0.0.1:8080/?live=http://["), undefined);
  assert.equal(liveAddress("file:///car.html?live=events"), undefined);
});

test("an event that does not suit the scene is not shown", () => {
  const body = [1, 2, 3, 1, 0, 0, 0];
  assert.deepEqual(livePoses({ t: 0, bodies: [body] }, 3, 1)?.[0].x, [1, 2, 3]);
  assert.equal(livePoses({ t: 0, bodies: [body] }, 3, 2), undefined);
  assert.equal(livePoses({ t: 0, bodies: [[1, 2, 3]] }, 3, 1), undefined);
  assert.equal(livePoses({ t: 0, bodies: [[1, 2, Number.NaN]] }, 2, 1), undefined);
  assert.deepEqual(livePoses({ t: 0, bodies: [[1, 2, 0]] }, 2, 1)?.[0].x, [1, 2, 0]);
});
