// The operating system that the module sees: a folder in memory with the files of a model, a clock, and nothing else.
//
//   WebAssembly System Interface, snapshot preview 1
import type { Files } from "./interface";

const success = 0;
const badDescriptor = 8;
const isFolder = 31; // EISDIR
const noEntry = 44;
const notSupported = 58;
const readOnly = 69; // EROFS

const folderType = 3;
const fileType = 4;
const root = 3; // the first descriptor after those of input, output and errors
const allRights = 0x1fffffffn;

interface Opened {
  bytes: Uint8Array | null; // null: a folder
  at: number;
}

/** The module was ended from within, which only a defect does. */
export class Ended extends Error {}

export class Folder {
  memory!: WebAssembly.Memory;
  private files = new Map<string, Uint8Array>();
  private readonly opened = new Map<number, Opened>();
  private next = root + 1;
  /** What was written to the output, for messages of a defect. */
  private said = "";

  /** Replaces all files; names are relative to the folder that the model is in. */
  fill(files: Files, folder: string): void {
    this.files = new Map(
      Object.entries(files).map(([name, content]) => [
        normal(folder + "/" + name),
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      ]),
    );
    this.opened.clear();
  }

  /** The functions that the module imports. */
  imports(): Record<string, (...all: never[]) => number> {
    const known: Record<string, (...all: never[]) => number> = {
      environ_sizes_get: (count: number, size: number) => this.words(count, [0]) ?? this.words(size, [0]) ?? success,
      environ_get: () => success,
      args_sizes_get: (count: number, size: number) => this.words(count, [0]) ?? this.words(size, [0]) ?? success,
      args_get: () => success,
      clock_time_get: (_clock: number, _precision: bigint, out: number) => this.time(out),
      clock_res_get: (_clock: number, out: number) => (this.view.setBigUint64(out, 1000n, true), success),
      random_get: (at: number, size: number) => (crypto.getRandomValues(new Uint8Array(this.memory.buffer, at, size)), success),
      proc_exit: (code: number) => {
        throw new Ended(`the module ended with ${code}: ${this.said.slice(-2000)}`);
      },
      sched_yield: () => success,
      fd_write: (fd: number, list: number, count: number, out: number) => this.write(fd, list, count, out),
      fd_read: (fd: number, list: number, count: number, out: number) => this.read(fd, list, count, out),
      fd_seek: (fd: number, offset: bigint, from: number, out: number) => this.seek(fd, offset, from, out),
      fd_close: (fd: number) => (this.opened.delete(fd) ? success : badDescriptor),
      fd_fdstat_get: (fd: number, out: number) => this.describe(fd, out),
      fd_fdstat_set_flags: () => success,
      fd_filestat_get: (fd: number, out: number) => this.describeFile(this.opened.get(fd)?.bytes, fd === root || this.opened.has(fd), out),
      fd_prestat_get: (fd: number, out: number) => (fd === root ? (this.words(out, [0, 1]) ?? success) : badDescriptor),
      fd_prestat_dir_name: (fd: number, at: number, size: number) => {
        if (fd !== root) return badDescriptor;
        if (size > 0) new Uint8Array(this.memory.buffer)[at] = "/".charCodeAt(0);
        return success;
      },
      path_filestat_get: (_fd: number, _flags: number, at: number, size: number, out: number) => this.describePath(this.path(at, size), out),
      path_open: (_fd: number, _flags: number, at: number, size: number, how: number, _b: bigint, _i: bigint, _f: number, out: number) =>
        this.open(this.path(at, size), how, out),
    };
    // Whatever else there is changes files, or reaches out of the page.
    return new Proxy(known, { get: (all, name: string) => all[name] ?? (() => (name.startsWith("path_") ? readOnly : notSupported)) });
  }

  private get view(): DataView {
    return new DataView(this.memory.buffer);
  }
  private words(at: number, values: number[]): undefined {
    values.forEach((value, k) => this.view.setUint32(at + 4 * k, value, true));
    return undefined;
  }
  private time(out: number): number {
    this.view.setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
    return success;
  }
  private path(at: number, size: number): string {
    return normal(new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, size).slice()));
  }
  private hasFolder(path: string): boolean {
    if (path === "") return true;
    for (const name of this.files.keys()) if (name.startsWith(path + "/")) return true;
    return false;
  }

  private open(path: string, how: number, out: number): number {
    const creates = 1;
    const wantsFolder = 2;
    const bytes = this.files.get(path);
    if (!bytes && how & creates) return readOnly;
    if (!bytes && !this.hasFolder(path)) return noEntry;
    if (bytes && how & wantsFolder) return isFolder;
    const fd = this.next++;
    this.opened.set(fd, { bytes: bytes ?? null, at: 0 });
    this.words(out, [fd]);
    return success;
  }

  private *buffers(list: number, count: number): Generator<Uint8Array> {
    for (let k = 0; k < count; ++k) {
      const at = this.view.getUint32(list + 8 * k, true);
      yield new Uint8Array(this.memory.buffer, at, this.view.getUint32(list + 8 * k + 4, true));
    }
  }
  private write(fd: number, list: number, count: number, out: number): number {
    if (fd >= root) return readOnly;
    let done = 0;
    for (const part of this.buffers(list, count)) {
      this.said += new TextDecoder().decode(part.slice());
      done += part.length;
    }
    this.words(out, [done]);
    return success;
  }
  private read(fd: number, list: number, count: number, out: number): number {
    const file = this.opened.get(fd);
    if (!file) return badDescriptor;
    if (!file.bytes) return isFolder;
    let done = 0;
    for (const part of this.buffers(list, count)) {
      const some = file.bytes.subarray(file.at, file.at + part.length);
      part.set(some);
      file.at += some.length;
      done += some.length;
    }
    this.words(out, [done]);
    return success;
  }
  private seek(fd: number, offset: bigint, from: number, out: number): number {
    const file = this.opened.get(fd);
    if (!file?.bytes) return badDescriptor;
    file.at = Math.max(0, Number(offset) + [0, file.at, file.bytes.length][from]!);
    this.view.setBigUint64(out, BigInt(file.at), true);
    return success;
  }

  private describe(fd: number, out: number): number {
    const file = this.opened.get(fd);
    if (fd >= root && fd !== root && !file) return badDescriptor;
    new Uint8Array(this.memory.buffer).fill(0, out, out + 24);
    this.view.setUint8(out, fd === root || file?.bytes === null ? folderType : fd < root ? 2 : fileType);
    this.view.setBigUint64(out + 8, allRights, true);
    this.view.setBigUint64(out + 16, allRights, true);
    return success;
  }
  private describePath(path: string, out: number): number {
    const bytes = this.files.get(path);
    return this.describeFile(bytes, bytes !== undefined || this.hasFolder(path), out);
  }
  private describeFile(bytes: Uint8Array | null | undefined, there: boolean, out: number): number {
    if (!there) return noEntry;
    new Uint8Array(this.memory.buffer).fill(0, out, out + 64);
    this.view.setUint8(out + 16, bytes ? fileType : folderType);
    this.view.setBigUint64(out + 24, 1n, true);
    this.view.setBigUint64(out + 32, BigInt(bytes?.length ?? 0), true);
    return success;
  }
}

/** A path without "." and "..", and without its first slash. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}
