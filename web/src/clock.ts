// The time that the page shows: a row of the results with a fraction, and how fast it runs.
import { rowAt } from "./data";

type Listener = (clock: Clock) => void;

export class Clock {
  row = 0;
  playing = false;
  speed = 1;
  private last = 0;
  private readonly listeners: Listener[] = [];

  constructor(private instants: Float64Array) {}

  get times(): Float64Array {
    return this.instants;
  }
  /** Goes on with the instants of another motion, at the same time as far as that has it. */
  take(times: Float64Array) {
    const t = this.t;
    this.instants = times;
    this.row = times.length ? rowAt(times, t) : 0;
    if (times.length < 2) this.playing = false;
    this.notify();
  }

  get rows(): number {
    return this.times.length;
  }
  get end(): number {
    return Math.max(0, this.rows - 1);
  }
  get t(): number {
    if (!this.rows) return 0;
    const low = Math.floor(this.row);
    const share = this.row - low;
    return share === 0 ? this.times[low] : this.times[low] * (1 - share) + this.times[low + 1] * share;
  }

  onChange(listener: Listener) {
    this.listeners.push(listener);
  }
  private notify() {
    for (const listener of this.listeners) listener(this);
  }

  toRow(row: number) {
    this.row = Math.min(this.end, Math.max(0, row));
    this.notify();
  }
  /** Goes to the row nearest to a time. */
  toTime(t: number) {
    this.toRow(Math.round(rowAt(this.times, t)));
  }
  /** Goes on by that many rows; stops playing. */
  step(rows: number) {
    this.playing = false;
    this.toRow(Math.round(this.row) + rows);
  }
  setSpeed(speed: number) {
    this.speed = speed;
    this.notify();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  pause() {
    this.playing = false;
    this.toRow(Math.round(this.row));
  }
  play() {
    if (this.rows < 2) return;
    if (this.row >= this.end) this.row = 0;
    this.playing = true;
    this.last = 0;
    this.notify();
    requestAnimationFrame(this.frame);
  }

  private readonly frame = (now: number) => {
    if (!this.playing) return;
    if (this.last) this.advance(Math.min(0.1, (now - this.last) / 1000));
    this.last = now;
    requestAnimationFrame(this.frame);
  };

  /** Advances by that many seconds of real time; begins again after the end. */
  advance(seconds: number) {
    const t = this.t + seconds * this.speed;
    this.toRow(t >= this.times[this.end] ? 0 : rowAt(this.times, t));
  }
}
