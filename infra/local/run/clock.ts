/** The clock of a local run: real time plus an offset that can be changed. */
export interface Clock {
  /** Returns the time in milliseconds since 1970, as a gateway event contains it. */
  readonly now: () => number;
  /** Sets the time. The clock then continues from there. */
  readonly set: (milliseconds: number) => Promise<void>;
  /** Sets the clock back to real time. */
  readonly reset: () => Promise<void>;
}

/**
 * Creates a clock that shows real time until another time is set.
 * @param keepOffset called with each new offset in milliseconds
 * @param realNow returns the real time in milliseconds
 */
export function createClock(keepOffset: (offsetMs: number) => Promise<void>, realNow: () => number = Date.now): Clock {
  let offsetMs = 0;

  const moveTo = (offset: number): Promise<void> => {
    offsetMs = offset;
    return keepOffset(offset);
  };
  return {
    now: () => realNow() + offsetMs,
    set: (milliseconds) => moveTo(Math.round(milliseconds) - realNow()),
    reset: () => moveTo(0),
  };
}
