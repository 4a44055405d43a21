/** The service's time on a local run: the real time plus an offset that can be moved. */
export interface Clock {
  /** Milliseconds since 1970, as a gateway event carries them. */
  readonly now: () => number;
  /** Goes on from this time. */
  readonly set: (milliseconds: number) => Promise<void>;
  /** Back to the real time. */
  readonly reset: () => Promise<void>;
}

/**
 * @param keepOffset called with each new offset
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
