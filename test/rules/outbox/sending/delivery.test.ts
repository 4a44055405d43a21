import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type AttemptOutcome,
  type Delivery,
  deliveryIdOf,
  factIdOfDelivery,
  givenUp,
  healthAfter,
  isDelivered,
} from '#lib/service/outbox/sending/delivery.ts';
import type { WebhookEndpoint } from '#lib/service/outbox/webhooks/webhook.ts';

const AT = new Date('2026-11-22T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const delivery: Delivery = {
  id: 'dlv_1',
  endpointId: 7,
  programId: 1,
  factId: 'evt_1',
  type: 'sale.recorded',
  status: 'pending',
  attempts: [],
  failures: 0,
  nextAttemptAt: AT.toISOString(),
  createdAt: AT.toISOString(),
};
const failed: AttemptOutcome = { statusCode: 500, durationMs: 40, response: 'no' };

/** @param random 0.5 changes nothing */
const waitAfter = (outcome: AttemptOutcome, random = 0.5, before = delivery): number | undefined => {
  const { nextAttemptAt } = afterAttempt(before, outcome, AT, random);
  return nextAttemptAt === undefined ? undefined : Date.parse(nextAttemptAt) - AT.getTime() - outcome.durationMs;
};

it('the id of a webhook delivery is made from the id of its fact, which can be read back', () => {
  expect(deliveryIdOf('evt_abc')).toBe('dlv_abc');
  expect(factIdOfDelivery('dlv_abc')).toBe('evt_abc');
});

it.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [404, false],
  [undefined, false],
])('a webhook delivery answered with the status %s counts as delivered: %s', (statusCode, isSo) => {
  expect(isDelivered({ statusCode })).toBe(isSo);
});

describe('a webhook delivery', () => {
  it('has the status delivered after a success, and its count of failures is reset to 0', () => {
    const before = { ...delivery, failures: 3 };
    expect(afterAttempt(before, { statusCode: 204, durationMs: 12, retryAfter: '9' }, AT, 0)).toEqual({
      ...before,
      nextAttemptAt: undefined,
      status: 'delivered',
      failures: 0,
      attempts: [{ at: AT.toISOString(), statusCode: 204, durationMs: 12 }],
    });
  });

  it('is retried nine times after increasing waits, and has the status failed after the tenth failure', () => {
    const waits: number[] = [];
    let now = delivery;
    while (now.status === 'pending') {
      const wait = waitAfter(failed, 0.5, now);
      now = afterAttempt(now, failed, AT, 0.5);
      if (wait !== undefined) waits.push(wait);
    }
    expect(waits).toEqual(
      [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440].map((minutes) => Math.round(minutes * MINUTE_MS)),
    );
    expect(now).toMatchObject({ status: 'failed', failures: 10 });
    expect(now.attempts).toHaveLength(10);
    expect(now).not.toHaveProperty('nextAttemptAt');
  });

  it('waits up to a tenth longer or shorter than planned', () => {
    expect(waitAfter(failed, 0)).toBe(4_500);
    expect(waitAfter(failed, 1)).toBe(5_500);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 8 }), (random, failures) => {
        const before = { ...delivery, failures };
        const planned = waitAfter(failed, 0.5, before)!;
        const wait = waitAfter(failed, random, before)!;
        expect(wait).toBeGreaterThanOrEqual(Math.round(planned * 0.9) - 1);
        expect(wait).toBeLessThanOrEqual(Math.round(planned * 1.1) + 1);
      }),
    );
  });

  it.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(AT.getTime() + 40 + 90_000).toUTCString(), 89_960],
  ])('waits as long as the Retry-After of the response says, given as %s', (_, retryAfter, wait) => {
    expect(waitAfter({ ...failed, retryAfter })).toBe(wait);
  });

  it.each([
    ['more than a day', '90000'],
    ['an impossible number', '9'.repeat(400)],
    ['a date in a hundred years', 'Fri, 22 Nov 2126 10:00:00 GMT'],
  ])('waits a day if the Retry-After of the response is %s', (_, retryAfter) => {
    expect(waitAfter({ ...failed, retryAfter })).toBe(24 * HOUR_MS);
  });

  it.each([
    ['less than the planned time', '1'],
    ['0 seconds', '0'],
    ['a past date', 'Sun, 01 Nov 2020 10:00:00 GMT'],
    ['an invalid date', 'soon'],
    ['an empty string', ''],
    ['a negative number', '-5'],
  ])('waits the planned time if the Retry-After of the response is %s', (_, retryAfter) => {
    expect(waitAfter({ ...failed, retryAfter })).toBe(5_000);
  });

  it('fails at once if the endpoint is gone', () => {
    const after = afterAttempt(delivery, { statusCode: 410, durationMs: 1 }, AT, 0);
    expect(after).toMatchObject({ status: 'failed', failures: 1 });
    expect(after).not.toHaveProperty('nextAttemptAt');
  });

  it('stores its latest twenty attempts, with the response bodies of the latest three', () => {
    let now = delivery;
    for (let n = 1; n <= 25; n++) {
      now = afterAttempt({ ...now, failures: 0 }, { ...failed, response: `answer ${n}` }, AT, 0);
    }
    expect(now.attempts).toHaveLength(20);
    expect(now.attempts.flatMap(({ response }) => response ?? [])).toEqual(['answer 23', 'answer 24', 'answer 25']);
  });

  it('that has failed permanently is not retried', () => {
    expect(givenUp(delivery)).toEqual({ ...delivery, status: 'failed', nextAttemptAt: undefined });
  });
});

describe('a webhook endpoint', () => {
  const endpoint: WebhookEndpoint = {
    id: 7,
    url: 'https://acme.test/hooks',
    description: '',
    events: ['*'],
    status: 'active',
    secrets: [],
    createdAt: AT.toISOString(),
  };
  const since = (ms: number) => new Date(AT.getTime() - ms).toISOString();
  const FIVE_DAYS_MS = 5 * 24 * HOUR_MS;

  it('stores the time of its first failure, and keeps that time at further failures', () => {
    const failing = healthAfter(endpoint, { statusCode: 500 }, AT);
    expect(failing).toEqual({ ...endpoint, failingSince: AT.toISOString() });
    expect(healthAfter(failing, {}, new Date(AT.getTime() + 1))).toBe(failing);
  });

  it('loses the time of its first failure at the next success', () => {
    expect(healthAfter(endpoint, { statusCode: 200 }, AT)).toBe(endpoint);
    expect(healthAfter({ ...endpoint, failingSince: since(1) }, { statusCode: 200 }, AT)).toEqual(endpoint);
  });

  it('is disabled after five days without a success', () => {
    const almost = { ...endpoint, failingSince: since(FIVE_DAYS_MS - 1) };
    expect(healthAfter(almost, {}, AT)).toBe(almost);
    const over = { ...endpoint, failingSince: since(FIVE_DAYS_MS) };
    expect(healthAfter(over, {}, AT)).toEqual({
      ...over,
      status: 'disabled',
      disabledReason: 'Nothing was delivered for five days',
    });
    expect(healthAfter(over, { statusCode: 200 }, AT)).toEqual(endpoint);
  });

  it('is disabled when it answers 410', () => {
    expect(healthAfter(endpoint, { statusCode: 410 }, AT)).toEqual({
      ...endpoint,
      failingSince: AT.toISOString(),
      status: 'disabled',
      disabledReason: 'It answered 410 Gone',
    });
  });

  it('that is disabled does not change with further responses', () => {
    const disabled = { ...endpoint, status: 'disabled' as const };
    expect(healthAfter(disabled, { statusCode: 200 }, AT)).toBe(disabled);
  });
});
