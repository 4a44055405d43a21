/** The service's time in a local run: real time plus an adjustable offset. */
export interface Clock {
  /** Returns the time in milliseconds since 1970, as a gateway event contains it. */
  readonly now: () => number;
  /** Sets the time, which then continues from there. */
  readonly set: (milliseconds: number) => Promise<void>;
  /** Returns to real time. */
  readonly reset: () => Promise<void>;
}

/**
 * A clock that runs with real time until its time is set.
 * @param keepOffset called with each new offset in milliseconds
 * @param realNow the real time in milliseconds
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
