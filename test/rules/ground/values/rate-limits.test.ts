import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimits, rateWindowAt, secondWindowAt } from '#lib/service/ground/values/rate-limits.ts';

it('the rate limits in the code are those in the documents', () => {
  expect(rateLimits).toEqual({
    click: { group: 'click', perMinute: 60, countedPer: [] },
    lead: { group: 'lead', perMinute: 30, countedPer: [] },
    saleAndRefund: { group: 'sale', perMinute: 120, countedPer: ['programKey'] },
    readiness: { group: 'readiness', perMinute: 30, countedPer: ['programKey'] },
    cli: { group: 'cli', perMinute: 60, countedPer: ['programKey', 'loginToken'] },
    dashboard: { group: 'dashboard', perMinute: 300, countedPer: ['loginToken'] },
    mailRefusal: { group: 'mail', perMinute: 60, countedPer: [] },
    logo: { group: 'logo', perMinute: 300, countedPer: [] },
    join: { group: 'join', perMinute: 10, countedPer: [] },
    agent: { group: 'agent', perMinute: 60, countedPer: ['agentKey'] },
    processorEvent: { group: 'webhook', perMinute: 1_200, countedPer: [] },
  });
});

describe('the window of a rate limit per minute', () => {
  it.each([
    ['2026-11-20T15:00:00.000Z', 60],
    ['2026-11-20T15:00:00.001Z', 60],
    ['2026-11-20T15:00:30.000Z', 30],
    ['2026-11-20T15:00:59.001Z', 1],
    ['2026-11-20T15:00:59.999Z', 1],
  ])('at %s lets a refused caller retry after %i seconds', (at, retryAfterSeconds) => {
    const startSeconds = Date.parse('2026-11-20T15:00:00Z') / 1000;
    expect(rateWindowAt(new Date(at))).toEqual({ startSeconds, resetSeconds: startSeconds + 60, retryAfterSeconds });
  });

  it('is the minute of the clock that contains the given time, and has ended when retryAfterSeconds are over', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0) }), (now) => {
        const { startSeconds, resetSeconds, retryAfterSeconds } = rateWindowAt(now);
        expect(startSeconds % 60).toBe(0);
        expect(resetSeconds - startSeconds).toBe(60);
        expect(now.getTime()).toBeGreaterThanOrEqual(startSeconds * 1000);
        expect(now.getTime()).toBeLessThan(resetSeconds * 1000);
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(now.getTime() / 1000 + retryAfterSeconds).toBeGreaterThanOrEqual(resetSeconds);
      }),
    );
  });
});

it('the window of a limit per second is the second of the clock that contains the given time', () => {
  const startSeconds = Date.parse('2026-11-20T15:00:07Z') / 1_000;
  const window = { startSeconds, resetSeconds: startSeconds + 1, retryAfterSeconds: 1 };
  for (const millisecond of ['000', '999']) {
    expect(secondWindowAt(new Date(`2026-11-20T15:00:07.${millisecond}Z`))).toEqual(window);
  }
});
