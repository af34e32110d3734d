// The parts of a mechanism in space as solids.
import * as THREE from "three";
import { stagesOf } from "./data";
import type { Shape, Tie, Vec3 } from "./data";

const up = new THREE.Vector3(0, 1, 0);
export const vector = (p: Vec3) => new THREE.Vector3(p[0], p[1], p[2]);

/** Cylinders of three.js run along y. */
function alongY(axis: THREE.Vector3): THREE.Quaternion {
  const length = axis.length();
  return new THREE.Quaternion().setFromUnitVectors(up, length > 0 ? axis.clone().divideScalar(length) : up);
}

function cylinder(a: THREE.Vector3, b: THREE.Vector3, radius: number, material: THREE.Material): THREE.Mesh {
  const d = b.clone().sub(a);
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, d.length(), radius > d.length() ? 64 : 20), material);
  mesh.position.copy(a).addScaledVector(d, 0.5);
  mesh.quaternion.copy(alongY(d));
  return mesh;
}

function ball(at: THREE.Vector3, radius: number, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), material);
  mesh.position.copy(at);
  return mesh;
}

/** The same colour, but transparent. */
function sheer(material: THREE.Material): THREE.Material {
  const sheet = material.clone();
  sheet.side = THREE.DoubleSide;
  sheet.transparent = true;
  sheet.opacity = 0.42;
  sheet.depthWrite = false;
  return sheet;
}

/** A flat body between its points, with bars at its edges. */
function plate(points: THREE.Vector3[], r: number, material: THREE.Material): THREE.Object3D {
  const group = new THREE.Group();
  const geometry = new THREE.BufferGeometry().setFromPoints(points);
  const triangles: number[] = [];
  for (let k = 1; k + 1 < points.length; ++k) triangles.push(0, k, k + 1);
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  group.add(new THREE.Mesh(geometry, sheer(material)));
  points.forEach((p, k) => {
    group.add(cylinder(p, points[(k + 1) % points.length], r * 0.6, material), ball(p, r * 0.6, material));
  });
  return group;
}

/** `r` is the radius of a bar. */
export function solidOf(shape: Shape, r: number, material: THREE.Material, dark: THREE.Material): THREE.Object3D {
  switch (shape.type) {
    case "link": {
      const group = new THREE.Group();
      const points = shape.points.map(vector);
      points.forEach((p, k) => {
        group.add(ball(p, r, material));
        if (k) group.add(cylinder(points[k - 1], p, r, material));
      });
      return group;
    }
    case "plate":
      return plate(shape.points.map(vector), r, material);
    case "disc": {
      const half = vector(shape.axis).setLength(Math.min(r, shape.radius * 0.15));
      const at = vector(shape.at);
      const group = new THREE.Group();
      if (shape.hollow) {
        const ring = new THREE.Mesh(new THREE.TorusGeometry(shape.radius, Math.min(r * 0.6, shape.radius * 0.12), 10, 48), material);
        ring.position.copy(at);
        ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), half.clone().normalize());
        return ring;
      }
      // A wheel is transparent; its rim is solid.
      const rim = new THREE.Mesh(new THREE.TorusGeometry(shape.radius, Math.min(r * 0.4, shape.radius * 0.06), 10, 64), material);
      rim.position.copy(at);
      rim.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), half.clone().normalize());
      group.add(cylinder(at.clone().sub(half), at.clone().add(half), shape.radius * 0.99, sheer(material)), rim);
      // A spoke shows the rotation.
      const spoke = new THREE.Vector3(1, 0, 0).applyQuaternion(alongY(half)).setLength(shape.radius * 0.92);
      for (const side of [-1.05, 1.05]) {
        const face = at.clone().addScaledVector(half, side);
        group.add(cylinder(face, face.clone().add(spoke), r * 0.25, dark));
      }
      return group;
    }
    case "sphere":
      return ball(vector(shape.at), shape.radius, material);
    case "box": {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(...shape.size), material === dark ? sheer(material) : material);
      mesh.position.copy(vector(shape.at));
      const x = vector(shape.x).normalize();
      if (shape.axis) {
        const z = vector(shape.axis).normalize();
        mesh.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, z.clone().cross(x), z));
      } else mesh.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), x);
      return mesh;
    }
    case "guide": {
      const half = vector(shape.x).setLength(shape.length / 2);
      const at = vector(shape.at);
      return cylinder(at.clone().sub(half), at.clone().add(half), r * 0.45, dark);
    }
    case "pin": {
      const half = vector(shape.axis).setLength(r * 1.7);
      const at = vector(shape.at);
      return cylinder(at.clone().sub(half), at.clone().add(half), r * 0.7, dark);
    }
    case "ground": {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(r * 4, r * 4, r * 4), dark);
      mesh.position.copy(vector(shape.at));
      return mesh;
    }
    case "mass":
      return ball(vector(shape.at), r * 1.4, material);
    case "solid": {
      const shared = new THREE.BufferGeometry().setFromPoints(shape.points.map(vector));
      shared.setIndex(shape.triangles);
      const faces = shared.toNonIndexed(); // each face has its own normal
      faces.computeVertexNormals();
      const lines = new THREE.LineSegments(new THREE.EdgesGeometry(shared, 30), new THREE.LineBasicMaterial({ color: 0x22272e }));
      return new THREE.Group().add(new THREE.Mesh(faces, material), lines);
    }
  }
}

/** A coil of length 1 along y; stretch it by its scale. */
function coil(r: number, material: THREE.Material): THREE.Mesh {
  const points: THREE.Vector3[] = [];
  const turns = 9;
  for (let k = 0; k <= 16 * turns; ++k) {
    const angle = (k / 16) * 2 * Math.PI;
    points.push(new THREE.Vector3(Math.cos(angle) * r * 1.5, k / (16 * turns), Math.sin(angle) * r * 1.5));
  }
  return new THREE.Mesh(new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 180, r * 0.28, 6), material);
}

/** A solid that reaches from one point to another. */
export interface Reaching {
  object: THREE.Object3D;
  set(i: Vec3, j: Vec3): void;
}

/** `r` is the radius of a bar; the second material is that of the parts that come out of a cylinder. */
export function tieOf(tie: Tie, r: number, material: THREE.Material, second: THREE.Material): Reaching {
  const object = new THREE.Group();
  const bar = (radius: number, of = material) => cylinder(new THREE.Vector3(), new THREE.Vector3(0, 1, 0), radius, of);
  // Each piece has length 1 along y and is stretched to its end.
  const pieces: { piece: THREE.Object3D; end: (length: number) => number }[] = [];
  const add = (solid: THREE.Object3D, end = (length: number) => length) => {
    const piece = new THREE.Group();
    object.add(piece.add(solid));
    pieces.push({ piece, end });
  };
  switch (tie.kind) {
    case "rod":
      add(bar(r * 0.5));
      break;
    case "spring":
      add(coil(r, material));
      break;
    case "damper":
      add(bar(r * 0.9));
      break;
    case "cylinder":
      add(bar(r), (length) => stagesOf(tie, length)[0]);
      if (tie.telescopic) add(bar(r * 0.75), (length) => stagesOf(tie, length)[1]);
      add(bar(r * 0.45, second));
      break;
    case "spiral":
    case "bush": // springs at a point are rings around it
      object.add(new THREE.Mesh(new THREE.TorusGeometry(r * 1.7, r * 0.45, 10, 32), material));
      break;
  }
  return {
    object,
    set(i, j) {
      const a = vector(i);
      const d = vector(j).sub(a);
      object.position.copy(a);
      if (!pieces.length) return;
      object.quaternion.copy(alongY(d));
      for (const { piece, end } of pieces) piece.scale.set(1, Math.max(1e-9, end(d.length())), 1);
    },
  };
}

/** An arrow of length 1 along y. */
export class SpaceArrow {
  readonly object = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;
  private readonly second: THREE.Mesh;

  constructor(private readonly r: number, material: THREE.Material) {
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0), material);
    this.second = this.head.clone();
    this.object.add(this.shaft, this.head, this.second);
  }

  /** Places the arrow; one that was cut has two heads. */
  set(at: Vec3, along: Vec3, cut = false) {
    const d = vector(along);
    const length = d.length();
    this.object.visible = Number.isFinite(length) && length > 0.2 * this.r;
    if (!this.object.visible) return;
    this.object.position.copy(vector(at));
    this.object.quaternion.copy(alongY(d));
    const head = Math.min(length * 0.6, this.r * 4);
    this.shaft.scale.set(this.r * 0.4, length - head, this.r * 0.4);
    this.head.position.set(0, length - head, 0);
    this.head.scale.set(this.r * 1.1, head, this.r * 1.1);
    this.second.visible = cut;
    this.second.position.set(0, length - 2 * head, 0);
    this.second.scale.copy(this.head.scale);
  }
}

/** A moment: three quarters of a ring about its axis, with a head; its radius shows the size. */
export class SpaceMoment {
  readonly object = new THREE.Group();
  private readonly second: THREE.Mesh;
  private static readonly sweep = 1.5 * Math.PI;

  constructor(private readonly r: number, material: THREE.Material) {
    const arc = new THREE.Mesh(new THREE.TorusGeometry(1, 0.05, 8, 48, SpaceMoment.sweep - 0.25), material);
    const head = this.headAt(SpaceMoment.sweep - 0.3, material);
    this.second = this.headAt(SpaceMoment.sweep - 0.6, material);
    this.object.add(arc, head, this.second);
  }

  /** A cone along the ring, beginning at an angle. */
  private headAt(angle: number, material: THREE.Material): THREE.Mesh {
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.15, 0.4, 16).translate(0, 0.2, 0), material);
    head.position.set(Math.cos(angle), Math.sin(angle), 0);
    head.rotation.z = angle;
    return head;
  }

  set(at: Vec3, about: Vec3, cut = false) {
    const axis = vector(about);
    const radius = axis.length();
    this.object.visible = Number.isFinite(radius) && radius > 0.2 * this.r;
    if (!this.object.visible) return;
    this.object.position.copy(vector(at));
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis.divideScalar(radius));
    this.object.scale.setScalar(radius);
    this.second.visible = cut;
  }
}
