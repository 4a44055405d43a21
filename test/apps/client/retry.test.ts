import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fetch, ReferralClient } from '#lib/apps/client/referral-client.ts';

// The client with a test `fetch` and a fake clock: waits are recorded, not waited for.

type Reply = { readonly status: number; readonly body?: object; readonly retryAfter?: string } | 'lost';

const ok: Reply = { status: 200, body: { success: true } };
const failed: Reply = { status: 500, body: { error: { message: 'Sale tracking failed' } } };
const limited = (retryAfter?: string): Reply => ({ status: 429, ...(retryAfter && { retryAfter }) });
const isLead: Reply = {
  status: 400,
  body: { error: { message: 'Customer status cannot be updated to lead. Current status: lead' } },
};

const click = (client: ReferralClient) => client.trackClick({ affiliateUrl: 'https://acme.test/?aff=ana' });
const lead = (client: ReferralClient) => client.trackLead({ customerId: 'u' });
const sale = (client: ReferralClient) => client.trackSale({ customerId: 'u', amount: 1, invoiceId: 'i' });
const refund = (client: ReferralClient) => client.trackRefund({ invoiceId: 'i' });
const stripeEvent = (client: ReferralClient) =>
  client.trackStripeEvent({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: {} } });
const readiness = (client: ReferralClient) => client.readiness();

const idempotent = { lead, sale, refund, 'forwarded event': stripeEvent, readiness };
const every = { click, ...idempotent };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Makes a call that gets these replies. @returns the requests' times in milliseconds since the call, and the outcome */
const carriedOut = (call: (client: ReferralClient) => Promise<unknown>, ...replies: Reply[]) =>
  carriedOutWithin(undefined, call, ...replies);

async function carriedOutWithin(
  timeoutMs: number | undefined,
  call: (client: ReferralClient) => Promise<unknown>,
  ...replies: Reply[]
) {
  const startedAt = Date.now();
  const sentAtMs: number[] = [];
  const fetch: Fetch = async () => {
    sentAtMs.push(Date.now() - startedAt);
    const reply = replies[sentAtMs.length - 1]!;
    if (reply === 'lost') throw new TypeError('fetch failed');
    const headers = new Headers(reply.retryAfter === undefined ? {} : { 'Retry-After': reply.retryAfter });
    return { status: reply.status, headers, text: async () => JSON.stringify(reply.body ?? {}) };
  };
  const client = new ReferralClient({ apiKey: 'aff_1_key', baseUrl: 'https://referrals.test', fetch, timeoutMs });
  const settled: Promise<{ body?: unknown; error?: unknown }> = call(client).then(
    (body) => ({ body }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return { sentAtMs, ...(await settled) };
}

describe.each(Object.entries(idempotent))(
  'a request of the client for a %s, which may be repeated without harm,',
  (_, call) => {
    it('is tried three times, after waits of half a second and a second, and then fails', async () => {
      const { sentAtMs, error } = await carriedOut(call, 'lost', failed, failed, ok);
      expect(sentAtMs).toEqual([0, 500, 1_500]);
      expect(error).toMatchObject({ name: 'ServerError', message: 'Sale tracking failed' });
    });

    it('succeeds if the second or third attempt succeeds', async () => {
      const { sentAtMs, body } = await carriedOut(call, failed, 'lost', ok);
      expect(sentAtMs).toEqual([0, 500, 1_500]);
      expect(body).toMatchObject({ success: true });
    });

    it('is not tried again if the service refuses it', async () => {
      const { sentAtMs } = await carriedOut(call, { status: 422 }, ok);
      expect(sentAtMs).toEqual([0]);
    });
  },
);

describe.each(Object.entries(every))('a request of the client for a %s that is refused with 429', (_, call) => {
  it('is tried again after the time that the service names', async () => {
    const { sentAtMs, body } = await carriedOutWithin(120_000, call, limited('7'), limited('60'), ok);
    expect(sentAtMs).toEqual([0, 7_000, 67_000]);
    expect(body).toMatchObject({ success: true });
  });

  it('fails after the third attempt', async () => {
    const { sentAtMs, error } = await carriedOut(call, limited('1'), limited('1'), limited('1'), ok);
    expect(sentAtMs).toEqual([0, 1_000, 2_000]);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 1 });
  });

  it('fails at once if the service names more than a minute', async () => {
    const { sentAtMs, error } = await carriedOutWithin(120_000, call, limited('61'), ok);
    expect(sentAtMs).toEqual([0]);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 61 });
  });

  it('is tried again after growing waits if the reply names no time', async () => {
    const { sentAtMs } = await carriedOut(call, limited(), limited(), ok);
    expect(sentAtMs).toEqual([0, 500, 1_500]);
  });
});

describe('all attempts of a request together have a time limit:', () => {
  it.each(Object.entries(every))(
    'a %s whose next wait would exceed it fails at once, and the error says how long to wait',
    async (_, call) => {
      const { sentAtMs, error } = await carriedOut(call, limited('10'), ok);
      expect(sentAtMs).toEqual([0]);
      expect(error).toMatchObject({ name: 'RateLimitError', status: 429, retryAfterSeconds: 10 });
    },
  );

  it.each(Object.entries(every))('for a %s the limit includes all waits', async (_, call) => {
    const { sentAtMs, error } = await carriedOut(call, limited('6'), limited('6'), ok);
    expect(sentAtMs).toEqual([0, 6_000]);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 6 });
  });

  it.each(Object.entries(idempotent))(
    'a %s is not tried again if the limit would pass during the wait',
    async (_, call) => {
      const { sentAtMs, error } = await carriedOutWithin(600, call, 'lost', 'lost', ok);
      expect(sentAtMs).toEqual([0, 500]);
      expect(error).toMatchObject({ name: 'NetworkError' });
    },
  );
});

describe('a click that the client sends', () => {
  it.each(['lost' as const, failed])(
    'is not tried again after %j, because it could be counted twice',
    async (reply) => {
      const { sentAtMs } = await carriedOut(click, reply, ok);
      expect(sentAtMs).toEqual([0]);
    },
  );
});

describe('a sale that the client sends', () => {
  it('is not tried again if it was recorded without its commission', async () => {
    const recorded: Reply = { status: 500, body: { error: { message: 'Failed to create commission' } } };
    const { sentAtMs, error } = await carriedOut(sale, failed, recorded, ok);
    expect(sentAtMs).toEqual([0, 500]);
    expect(error).toMatchObject({ name: 'ServerError', message: 'Failed to create commission' });
  });

  it('resolves as recorded if only the first reply was lost', async () => {
    const error = { code: 'duplicate_transaction', message: 'Duplicate', details: { sale_id: 42, own: true } };
    const { body } = await carriedOut(sale, 'lost', { status: 409, body: { error } });
    expect(body).toEqual({ success: true, duplicate: true, sale_id: 42 });
  });
});

describe('a lead that the client sends', () => {
  it('resolves as recorded if only the first reply was lost', async () => {
    const { sentAtMs, body } = await carriedOut(lead, 'lost', isLead);
    expect(sentAtMs).toEqual([0, 500]);
    expect(body).toEqual({ success: true, duplicate: true });
  });

  it('rejects if the customer was already a lead before the first attempt', async () => {
    const { error } = await carriedOut(lead, isLead);
    expect(error).toMatchObject({ name: 'ValidationError', status: 400 });
  });
});

describe('the waits between attempts of a request', () => {
  it('are lengthened at random by up to a quarter, so that many callers do not try again together', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999);
    const { sentAtMs } = await carriedOut(sale, failed, failed, ok);
    expect(sentAtMs).toEqual([0, 624, 1_873]);
  });
});
