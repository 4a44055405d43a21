import { type Call, succeed } from '#test/live/caller.ts';

/** Moves the service's clock through its HTTP interface. */
export interface ServiceClock {
  /** Continues from this time. */
  readonly moveTo: (milliseconds: number) => Promise<void>;
  /** Returns to the real time. */
  readonly reset: () => Promise<void>;
  /** The earliest and latest possible service times during a request. */
  readonly during: (sentAt: number, repliedAt: number) => readonly [earliest: number, latest: number];
}

/** The possible offset of the service's time from the real one, and the real times during which it applied. */
interface Setting {
  readonly from: number;
  until: number;
  least: number;
  most: number;
}

/** Precision of real times, which are milliseconds since 1970 without fractions. */
const GRANULARITY_MS = 1;

/** No other code may move the clock. Query a request only after all overlapping moves are complete. */
export function openClock(call: Call): ServiceClock {
  const settings: Setting[] = [{ from: -Infinity, until: Infinity, least: 0, most: 0 }];

  async function move(body: object): Promise<void> {
    const asked = Date.now();
    const { now } = await succeed(call, { path: '/local/clock', body });
    const answered = Date.now();
    settings.at(-1)!.until = answered;
    const time = Date.parse(now);
    const [least, most] = [time - answered - GRANULARITY_MS, time - asked + GRANULARITY_MS];
    settings.push({ from: asked, until: Infinity, least, most });
  }
  return {
    moveTo: (milliseconds) => move({ now: new Date(milliseconds).toISOString() }),
    reset: () => move({ reset: true }),
    during(sentAt, repliedAt) {
      const possible = settings.filter(({ from, until }) => from <= repliedAt && until >= sentAt);
      const least = Math.min(...possible.map((setting) => setting.least));
      const most = Math.max(...possible.map((setting) => setting.most));
      return [sentAt + least, repliedAt + most];
    },
  };
}
