import { vi } from 'vitest';

/** Waits until an expectation about another process is met, also on a busy machine. */
export const eventually = <Value>(expectation: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(expectation, { timeout: 20_000, interval: 20 });
