// A value that others watch.

export type Stop = () => void;

export class Signal<T> {
  private readonly listeners = new Set<(value: T, before: T) => void>();
  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }
  set(value: T) {
    if (Object.is(value, this.current)) return;
    const before = this.current;
    this.current = value;
    for (const listener of [...this.listeners]) listener(value, before);
  }
  /** Calls the listener after each change, until the returned function is called. */
  watch(listener: (value: T, before: T) => void): Stop {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  /** The same, and once at the start. */
  follow(listener: (value: T, before: T) => void): Stop {
    listener(this.current, this.current);
    return this.watch(listener);
  }
}
