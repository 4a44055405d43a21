import { afterEach, describe, expect, it } from 'vitest';
import { handler as notFound } from '#functions/not-found.ts';
import { handler as click } from '#functions/track/click.ts';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as preflight } from '#functions/track/preflight.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { handler as sale } from '#functions/track/sale.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { MOST_ATTEMPTS } from '#lib/service/ground/table/backoff.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { codedError, platformError, rateLimitedError } from '#test/support/servers/errors.ts';
import {
  cancelled,
  cancelledWithoutReason,
  failing,
  failingTimes,
  type Fault,
  inConflict,
  refused,
  replyLost,
  sentAgain,
} from '#test/support/table/faults.ts';
import { allItems, expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { clicked, signedUp, sold, soldTo } from '#test/support/payments/lives/journeys.ts';
import { send, type TestRequest } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import type { Brand } from '#test/support/programs/world.ts';

const world = openedWorld();
afterEach(() => expectNothingHalfWritten(world));

/** Uses up the functions' reserved ids, so that the next request reserves a block. */
async function useUpIds(): Promise<void> {
  const { ids, table } = world.deps();
  while ((await ids.take(table)) % 1_000 !== 0);
}

/** Imports an older key without structure for the brand. */
async function importedKey({ program }: Brand): Promise<string> {
  const key = fresh('an-older-key-without-structure');
  await world.deps().table.put(keys.credential(sha256(key)), { class: 'programKey', programId: program.id });
  return key;
}

let count = 0;
const fresh = (name: string) => `${name}-${++count}`;

/** A request of one kind, prepared so that it succeeds without faults. */
interface Scene {
  readonly handler: Handler;
  readonly request: TestRequest;
  /** The items that the request leaves, in order of their sort keys. */
  readonly left: () => Promise<Record<string, unknown>[]>;
}

const scenes = {
  async click(brand: Brand): Promise<Scene> {
    const request = { body: { affiliate_url: brand.affiliateUrl } };
    const isOurs = ({ sk, programId }: Record<string, unknown>) => sk === 'CUSTOMER' && programId === brand.program.id;
    return { handler: click, request, left: async () => (await allItems(world)).filter(isOurs) };
  },
  async lead(brand: Brand): Promise<Scene> {
    const clickId = await clicked(brand);
    const body = { click_id: clickId, customer_key: fresh('user'), email: 'user@example.com' };
    return { handler: lead, request: { key: brand.key, body }, left: () => world.items(`CUSTOMER#${clickId}`) };
  },
  async 'browser lead'(brand: Brand): Promise<Scene> {
    const clickId = await clicked(brand);
    const body = { click_id: clickId, customer_key: fresh('user') };
    return { handler: lead, request: { body }, left: () => world.items(`CUSTOMER#${clickId}`) };
  },
  async sale(brand: Brand): Promise<Scene> {
    const [customerKey, transactionId] = [fresh('user'), fresh('sale')];
    await signedUp(brand, customerKey);
    const body = { transaction_id: transactionId, amount_cents: 4900, customer_key: customerKey };
    return { handler: sale, request: { key: brand.key, body }, left: () => world.items(`SALE#${transactionId}`) };
  },
  async refund(brand: Brand): Promise<Scene> {
    const transactionId = fresh('sale');
    await soldTo(brand, fresh('user'), { transaction_id: transactionId });
    const request = { key: brand.key, body: { transaction_id: transactionId } };
    return { handler: refund, request, left: () => world.items(`SALE#${transactionId}`) };
  },
};
type Kind = keyof typeof scenes;

const failures: Record<Kind, object> = {
  click: platformError(500, 'Click tracking failed'),
  lead: platformError(500, 'Lead tracking failed'),
  'browser lead': platformError(500, 'Lead tracking failed'),
  sale: codedError(500, 'internal_error', 'Sale tracking failed'),
  refund: codedError(500, 'internal_error', 'Refund tracking failed'),
};
const kinds = Object.keys(scenes) as Kind[];
const errorNames = ['InternalServerError', 'ThrottlingException', 'TimeoutError'];

const sks = (items: readonly Record<string, unknown>[]) => items.map(({ sk }) => String(sk).replace(/#.*/, ''));

/** Tags of a kind's tests. Sales are tested in every run, because they write most; the others only in full runs. */
const tagsOf = (kind: Kind) => (kind === 'sale' ? [] : ['deep']);

for (const kind of kinds)
  describe(`a request to record one ${kind}`, { tags: tagsOf(kind) }, () => {
    const more = kind === 'browser lead' ? (['second read'] as const) : [];

    describe.each(['ids', 'read', 'write', ...more] as const)('if its call to the table fails ("%s")', (call) => {
      it.each(errorNames)('with %s, is answered 500, and can be repeated', async (errorName) => {
        const { handler, request, left } = await scenes[kind](await world.brand());
        const before = await left();
        if (call === 'ids') await useUpIds();
        const failed = await failing(call, refused(errorName), () => send(handler, request));
        expect(failed.status).toBe(500);
        expect(failed.body).toEqual(failures[kind]);
        expect(await left()).toEqual(before);
        expect(await send(handler, request)).toMatchObject({ status: 200, body: { success: true } });
      });
    });

    describe('if the call that counts it for the rate limit fails', () => {
      it.each(['InternalServerError', 'TimeoutError'])('with %s, is answered as usual', async (errorName) => {
        const { handler, request } = await scenes[kind](await world.brand());
        expect(await failing('count', refused(errorName), () => send(handler, request))).toMatchObject({
          status: 200,
          body: { success: true },
        });
      });

      it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
        'with %s, is refused with 429, because so many calls may be an attack',
        async (errorName) => {
          const { handler, request, left } = await scenes[kind](await world.brand());
          const before = await left();
          const refusedReply = await failing('count', refused(errorName), () => send(handler, request));
          expect(refusedReply.status).toBe(429);
          expect(refusedReply.headers).toMatchObject({ 'Retry-After': '60', 'X-RateLimit-Remaining': '0' });
          expect(refusedReply.body).toEqual(rateLimitedError(60));
          expect(await left()).toEqual(before);
          expect(await send(handler, request)).toMatchObject({ status: 200 });
        },
      );
    });

    it('is answered as usual if the SDK repeats the call that counts it after a lost reply', async () => {
      const { handler, request } = await scenes[kind](await world.brand());
      expect(await failing('write', sentAgain, () => send(handler, request))).toMatchObject({
        status: 200,
        body: { success: true },
      });
    });
  });

for (const kind of ['lead', 'browser lead', 'sale', 'refund'] as const)
  describe(`the transaction of a ${kind}`, { tags: tagsOf(kind) }, () => {
    it('is repeated if it conflicts with another transaction', async () => {
      const { handler, request } = await scenes[kind](await world.brand());
      expect(await failing('write', inConflict, () => send(handler, request))).toMatchObject({
        status: 200,
        body: { success: true },
      });
    });

    it.each([
      ['is throttled', cancelled(() => 'ThrottlingError')],
      ['meets a partition without throughput', cancelled(() => 'ProvisionedThroughputExceeded')],
      ['is cancelled without a reason', cancelledWithoutReason],
    ])(
      'is repeated if it %s; after too many attempts the request is answered 500 and stores nothing',
      async (_, fault) => {
        const { handler, request, left } = await scenes[kind](await world.brand());
        const before = await left();
        const failed = await failingTimes(MOST_ATTEMPTS, 'write', fault, () => send(handler, request));
        expect(failed.body).toEqual(failures[kind]);
        expect(await left()).toEqual(before);
        expect(await failing('write', fault, () => send(handler, request))).toMatchObject({
          status: 200,
          body: { success: true },
        });
      },
    );
  });

describe('a repetition of a request whose reply was lost', () => {
  it('of a click records a second click', async () => {
    const { handler, request } = await scenes.click(await world.brand());
    expect((await failing('write', replyLost, () => send(handler, request))).body).toEqual(failures.click);
    expect(await send(handler, request)).toMatchObject({ status: 200 });
  });

  it('of a lead is answered that the customer is already a lead, and changes nothing', async () => {
    const { handler, request, left } = await scenes.lead(await world.brand());
    expect((await failing('write', replyLost, () => send(handler, request))).body).toEqual(failures.lead);
    const recorded = await left();
    expect((await send(handler, request)).body).toEqual(
      platformError(400, 'Customer status cannot be updated to lead. Current status: lead'),
    );
    expect(await left()).toEqual(recorded);
  });

  it('of a browser’s lead gets the usual reply and records nothing new', async () => {
    const { handler, request, left } = await scenes['browser lead'](await world.brand());
    expect((await failing('write', replyLost, () => send(handler, request))).status).toBe(500);
    const recorded = await left();
    expect(sks(recorded)).toEqual(['CUSTOMER', 'LEAD']);
    expect(await send(handler, request)).toMatchObject({ status: 200, body: { provisional: true } });
    expect(await left()).toEqual(recorded);
  });

  it('of a sale finds the one sale with its one commission', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    expect((await failing('write', replyLost, () => send(handler, request))).body).toEqual(failures.sale);
    const recorded = await left();
    expect(sks(recorded)).toEqual(['COMMISSION', 'SALE']);
    const duplicate = 'Duplicate transaction_id. This sale has already been recorded.';
    expect((await send(handler, request)).body).toEqual(
      codedError(409, 'duplicate_transaction', duplicate, { sale_id: recorded[1]?.id, own: true }),
    );
    expect(await left()).toEqual(recorded);
  });

  it('of a refund is answered that the commission is already reversed, and deducts nothing', async () => {
    const { handler, request, left } = await scenes.refund(await world.brand());
    expect((await failing('write', replyLost, () => send(handler, request))).body).toEqual(failures.refund);
    const recorded = await left();
    expect(sks(recorded)).toEqual(['COMMISSION', 'REFUND', 'SALE']);
    expect((await send(handler, request)).body).toMatchObject({ status: 'skipped', reason: 'already reversed' });
    expect(await left()).toEqual(recorded);
  });
});

/** A fault that refuses only the commission. */
const commissionOnly = (code: string) => cancelled((sk) => (sk === 'COMMISSION' ? code : 'None'));

describe(
  'if the table refuses, in every attempt, the write of a commission together with its sale, the request for the sale',
  { tags: ['deep'] },
  () => {
    it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
      'is answered 500 without a sale if the error is %s, and can be repeated',
      async (code) => {
        const { handler, request, left } = await scenes.sale(await world.brand());
        const failed = await failingTimes(MOST_ATTEMPTS, 'write', commissionOnly(code), () => send(handler, request));
        expect(failed.body).toEqual(failures.sale);
        expect(await left()).toEqual([]);
        expect(await failing('write', commissionOnly(code), () => send(handler, request))).toMatchObject({
          status: 200,
        });
        expect(sks(await left())).toEqual(['COMMISSION', 'SALE']);
      },
    );

    it('is answered 200 with sale and commission if the error is a conflict with another transaction', async () => {
      const { handler, request, left } = await scenes.sale(await world.brand());
      const held = commissionOnly('TransactionConflict');
      const reply = await failingTimes(MOST_ATTEMPTS, 'write', held, () => send(handler, request));
      expect(reply.status).toBe(200);
      expect(sks(await left())).toEqual(['COMMISSION', 'SALE']);
    });
  },
);

describe('a commission that the table permanently refuses to store', () => {
  const commissionRejected = commissionOnly('ValidationError');

  it('leaves the sale without a commission, the customer unchanged and the transaction id used', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    const failed = await failing('write', commissionRejected, () => send(handler, request));
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual(codedError(500, 'internal_error', 'Failed to create commission'));
    const [recorded, ...others] = await left();
    expect(others).toEqual([]);
    expect(recorded).toMatchObject({
      sk: 'SALE',
      commissionState: 'failed',
      terms: {
        version: { version: 1, from: 'program', name: expect.any(String) },
        commissionType: 'percent',
        commissionRate: 20,
        currency: 'USD',
        holdPeriodDays: 15,
        platformFeeBps: 350,
      },
    });
    expect(await send(handler, request)).toMatchObject({
      status: 409,
      body: { error: { details: { sale_id: recorded?.id } } },
    });
    expect(await left()).toEqual([recorded]);
  });

  it('leaves nothing if writing the sale without it fails as well; a repeated request creates sale and commission', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    const failed = await failing('write', commissionRejected, () =>
      failing('second write', refused('InternalServerError'), () => send(handler, request)),
    );
    expect(failed.body).toEqual(failures.sale);
    expect(await left()).toEqual([]);
    expect(await send(handler, request)).toMatchObject({ status: 200 });
    expect(sks(await left())).toEqual(['COMMISSION', 'SALE']);
  });

  it('still causes the reply ‘Failed to create commission’ if the SDK repeats the sale’s write after a lost reply', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    const failed = await failing('write', commissionRejected, () =>
      failing('second write', sentAgain, () => send(handler, request)),
    );
    expect(failed.body).toEqual(codedError(500, 'internal_error', 'Failed to create commission'));
    expect(sks(await left())).toEqual(['SALE']);
  });
});

/** The attempt is answered with a conflict but applied nevertheless, because a delayed copy arrives afterwards. */
const appliedLate: Fault = async (sendIt, input) => {
  await sendIt();
  return inConflict(sendIt, input);
};

describe('a sale whose write is answered with a conflict but stored nevertheless, because the AWS SDK sent it twice,', () => {
  it('is answered 200 with the stored sale and commission, not as a duplicate', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    const reply = await failing('write', appliedLate, () => send(handler, request));
    const [commission, recorded] = await left();
    expect(reply.body).toMatchObject({ success: true, sale_id: recorded?.id, commission_id: commission?.id });
  });

  it('is answered 500 “Failed to create commission”, not as a duplicate, if the table refuses its commission', async () => {
    const { handler, request, left } = await scenes.sale(await world.brand());
    const reply = await failing('write', commissionOnly('ValidationError'), () =>
      failing('second write', appliedLate, () => send(handler, request)),
    );
    expect(reply.body).toEqual(codedError(500, 'internal_error', 'Failed to create commission'));
    expect(sks(await left())).toEqual(['SALE']);
  });
});

describe('a click', () => {
  it.each(errorNames)('is answered 500 if reading its program fails with %s, and can be repeated', async (name) => {
    const { handler, request } = await scenes.click(await world.brand());
    expect((await failing('second read', refused(name), () => send(handler, request))).body).toEqual(failures.click);
    expect(await send(handler, request)).toMatchObject({ status: 200 });
  });
});

describe('a request to record a sale', () => {
  it.each(['read', 'second read'] as const)(
    'with a key that has no program id in it is answered 500 if the %s of the table fails',
    async (call) => {
      const brand = await world.brand();
      const { handler, request, left } = await scenes.sale(brand);
      const key = await importedKey(brand);
      const failed = await failing(call, refused('InternalServerError'), () => send(handler, { ...request, key }));
      expect(failed.body).toEqual(failures.sale);
      expect(await left()).toEqual([]);
      expect(await send(handler, { ...request, key })).toMatchObject({ status: 200 });
    },
  );

  it.each(errorNames)(
    'is answered 500 if the search for the customer key in other programs fails with %s',
    async (errorName) => {
      const { key } = await world.brand();
      const request = { key, body: { transaction_id: fresh('sale'), amount_cents: 1, customer_key: fresh('nobody') } };
      expect((await failing('query', refused(errorName), () => send(sale, request))).body).toEqual(failures.sale);
      expect((await send(sale, request)).body.error.code).toBe('no_attribution');
    },
  );

  it('in test mode stores one sale if the AWS SDK sends its write again', async () => {
    const { key, program } = await world.brand();
    const body = { transaction_id: fresh('sale'), amount_cents: 100, additional_data: { test_mode: true } };
    const reply = await failing('write', sentAgain, () => send(sale, { key, body }));
    expect(reply).toMatchObject({ status: 200, body: { data: { programId: program.id } } });
    expect(await world.items(`SALE#${body.transaction_id}`)).toMatchObject([{ id: reply.body.data.eventId }]);
  });

  it('records the customer’s first sale after an earlier attempt failed', async () => {
    const brand = await world.brand();
    const { handler, request } = await scenes.sale(brand);
    await failing('write', refused('InternalServerError'), () => send(handler, request));
    const { commission_id } = await sold(brand, request.body as object);
    expect(commission_id).toEqual(expect.any(Number));
  });
});

describe('if the table fails while the program of a key is looked up', () => {
  const key = 'an-old-key-that-nobody-knows';

  it.each([
    ['click with an invalid body', click, { body: '{' }, 500],
    ['lead with an invalid body', lead, { body: '{' }, 500],
    ['sale with an invalid body', sale, { body: '{' }, 500],
    ['preflight', preflight, { method: 'OPTIONS', headers: { origin: 'https://acme.test' } }, 500],
    ['unknown path', notFound, { path: '/api/v1/cli/nothing' }, 500],
  ] as const)(
    'the status depends on whether the request needs the key’s program: %s',
    async (_, handler, request, status) => {
      const reply = await failing('read', refused('InternalServerError'), () => send(handler, { ...request, key }));
      expect(reply.status).toBe(status);
    },
  );
});
