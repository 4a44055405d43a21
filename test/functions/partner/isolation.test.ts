import { beforeAll, describe, expect, it } from 'vitest';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import { type Route, routes as rows } from '#infra/routes.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { givenCode } from '#test/support/programs/codes.ts';
import { HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { handlerOf, loadedFunction } from '#test/support/servers/functions.ts';
import { anotherPartner, clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { memberOf, ownerOf, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { send, type TestReply } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Calls every portal route with the tokens and ids of other people. A reply must not name another partner, and may show
// only the customer data that its partner may see.

const { routes: served } = functionRoutes(loadedFunction);

// Starts the vault, which encrypts payout details.
openProcessor();

const PORTAL = '/api/partner/v1';
const isPortal = ({ path }: Route) => path.startsWith(PORTAL);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const named = (some: readonly Route[]) => some.map((row) => [nameOf(row), row] as const);

const portalRoutes = rows.filter(isPortal);
const programRoutes = portalRoutes.filter(({ path }) => path.startsWith(`${PORTAL}/programs/{id}`));
const publicRoutes = portalRoutes.filter((row) =>
  [`GET ${PORTAL}/join/{program_id}`, `GET ${PORTAL}/brand/{program_id}`].includes(nameOf(row)),
);
const accountRoutes = portalRoutes.filter((row) => !programRoutes.includes(row) && !publicRoutes.includes(row));
const reads = (some: readonly Route[]) => some.filter(({ method }) => method === 'GET');
const changes = (some: readonly Route[]) => some.filter(({ method }) => method !== 'GET');

interface Person {
  readonly token: string;
  readonly programId: number;
  readonly partnerId: number;
  readonly link: string;
  readonly commissionId: number;
  /** Values that no other caller may read. Ids are numbers that no amount or count equals. */
  readonly own: readonly string[];
  /** Values that even the partner may not read. */
  readonly ofCustomers: readonly string[];
}

let brand: OwnedBrand;
let bea: Person;
let cem: Person;
let dora: Person;
let payoutId: number;
const tokens: Record<string, string | undefined> = {};

/** A partner with a link, a code, payout details, and sales, one refunded and one waiting. */
async function partnerOf(own: OwnedBrand, name: string): Promise<Person> {
  const made = { ...own, ...(await anotherPartner(world, own, name)) };
  const { program, partner, shortLink } = made;
  const code = `${name.toUpperCase()}CODE`;
  await givenCode(world, made, { code });
  const [key, email] = [`key-of-${name}`, `buyer.of.${name}@example.com`];
  const clickId = await clicked(made);
  await settledLead(made, { click_id: clickId, customer_key: key, email });
  const transactions = [1, 2].map((n) => `transaction-${n}-${name}`);
  const ids: number[] = [];
  for (const transaction_id of transactions) {
    ids.push((await sold(made, { transaction_id, customer_key: key, is_recurring: false })).commission_id);
  }
  await refunded(own, { transaction_id: transactions[0], refund_amount_cents: 100 });
  const { token, account } = await signedInAs(world, partner.email);
  await accepted({ token }, own.path);
  const paypal = { method: 'paypal', email: `${name}@money-${name}.test` };
  expect((await portal(token).put('/payout-details', paypal)).status).toBe(200);
  const names = [name, partner.email, shortLink, code, `money-${name}.test`];
  return {
    token,
    programId: program.id,
    partnerId: partner.id,
    link: shortLink,
    commissionId: ids[0]!,
    own: [...names, String(partner.id), String(account.id), ...ids.map(String)],
    ofCustomers: [clickId, key, email, ...transactions],
  };
}

const world = openedWorld();
beforeAll(async () => {
  const { table } = world.deps();
  for (const [at, name] of ['event', 'partner', 'account'].entries()) {
    await table.put(keys.sequence(name), { last: 7_000_000_000 + at * 1_000_000_000 });
  }
  brand = await ownedBrand(world, { leadCommissionCents: 500 });
  const foreign = await ownedBrand(world);
  await brand.owner.patch(brand.path, { share_customer_emails: true, code_precedence: 'code_first', join: 'open' });
  await brand.owner.patch(`${brand.path}/brand`, { display_name: 'Acme' });
  bea = await partnerOf(brand, 'Beatrix');
  cem = await partnerOf(brand, 'Cemaliye');
  dora = await partnerOf(foreign, 'Dorothea');
  // A customer of Cem's who is moved by Bea's code.
  const moved = await clicked({ affiliateUrl: `https://${brand.program.domain}/?aff=${cem.link}` });
  await settledLead(brand, { click_id: moved, customer_key: 'moved-key' });
  const sale = { transaction_id: 'moved-transaction', customer_key: 'moved-key', coupon_code: 'BEATRIXCODE' };
  await sold(brand, sale);
  bea = { ...bea, ofCustomers: [...bea.ofCustomers, moved, 'moved-key', 'moved-transaction'] };
  const { body } = await brand.owner.post(`${brand.path}/payouts`, {}, { at: HOLD_OVER });
  payoutId = body.data.id;
  await brand.owner.patch(`${brand.path}/payouts/${payoutId}`, { reference: 'SEPA' });
  await counted(world);

  const [owner, foreignOwner] = await Promise.all([ownerOfBrand(world, brand), ownerOfBrand(world, foreign)]);
  Object.assign(tokens, {
    owner: owner.token,
    member: (await memberOf(world, owner.workspace)).token,
    foreignOwner: foreignOwner.token,
    stranger: (await signedInAs(world)).token,
    Cem: cem.token,
    Dora: dora.token,
  });
});

interface Ask {
  readonly token?: string;
  readonly ids: Pick<Person, 'programId' | 'partnerId' | 'link' | 'commissionId'>;
  readonly as?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The partner whose statement contains the commission. */
const payeeOf = ({ commissionId }: Ask['ids']): number | undefined =>
  [bea, cem, dora].find((person) => person.commissionId === commissionId)?.partnerId;

/** Calls a route for one person's data. A body with invalid JSON shows that the reply comes before parsing. */
async function ask({ method, path: pattern }: Route, { token, ids, as, query, body = '{' }: Ask): Promise<TestReply> {
  const values: Record<string, number | string> = {
    id: ids.programId,
    program_id: ids.programId,
    partner_id: ids.partnerId,
    short_link: ids.link,
    commission_id: ids.commissionId,
    number: `${payoutId}-${payeeOf(ids)}-USD`,
  };
  const path = pattern.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => String(values[name] ?? ids.commissionId));
  const found = matchRoute(served, method === 'ANY' ? 'GET' : method, path);
  return send(await handlerOf(found?.route), {
    method: method === 'ANY' ? 'GET' : method,
    path,
    pathParameters: found?.pathParameters,
    key: token,
    query: { ...query, ...(as !== undefined && { as }) },
    ...(method !== 'GET' && { body }),
    at: HOLD_OVER,
  });
}

/** A reply contains nothing of other people or customers. */
function expectNothingOf(reply: TestReply, others: readonly Person[], reader?: Person): void {
  const text = JSON.stringify([reply.body, reply.headers]);
  const secrets = [
    ...others.flatMap(({ own, ofCustomers }) => [...own, ...ofCustomers]),
    ...(reader?.ofCustomers ?? []),
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

const statusOf = async (row: Route, request: Ask): Promise<number> => {
  const reply = await ask(row, request);
  expectNothingOf(reply, [bea, cem, dora]);
  return reply.status;
};

describe.each(named(portalRoutes.filter((row) => !publicRoutes.includes(row))))(
  'the portal route %s answers',
  (_, row) => {
    it('401 without a token, with a program key and with an unknown token', async () => {
      for (const token of [undefined, brand.key, 'agt_x', `lgn_${'x'.repeat(40)}`]) {
        expect(await statusOf(row, { token, ids: bea })).toBe(401);
        expect(await statusOf(row, { token, ids: bea, as: String(bea.partnerId) })).toBe(401);
      }
    });
  },
);

describe.each(named(programRoutes))('the portal route %s below /programs/{id} answers', (_, row) => {
  it('404 to callers who are not partners of that program', async () => {
    for (const name of ['owner', 'member', 'foreignOwner', 'stranger', 'Dora']) {
      expect([name, await statusOf(row, { token: tokens[name], ids: bea })]).toEqual([name, 404]);
    }
    expect(await statusOf(row, { token: bea.token, ids: dora })).toBe(404);
    for (const programId of [dora.programId, 999_999, 0]) {
      expect(await statusOf(row, { token: bea.token, ids: { ...bea, programId } })).toBe(404);
    }
  });

  it('404 to a read and 403 to a change if ?as= does not name a partner of a program that the caller owns', async () => {
    const refused = row.method === 'GET' ? 404 : 403;
    for (const token of [bea.token, tokens.member, tokens.foreignOwner, tokens.stranger, tokens.Cem, tokens.Dora]) {
      for (const { partnerId } of [bea, cem, dora]) {
        expect(await statusOf(row, { token, ids: bea, as: String(partnerId) })).toBe(refused);
      }
    }
    for (const as of [String(dora.partnerId), '0', '', 'x', '-1', `${bea.partnerId},${cem.partnerId}`]) {
      expect(await statusOf(row, { token: tokens.owner, ids: bea, as })).toBe(refused);
    }
    expect(await statusOf(row, { token: tokens.owner, ids: dora, as: String(dora.partnerId) })).toBe(refused);
  });
});

describe.each(named(changes([...programRoutes, ...accountRoutes])))(
  'the portal route %s, which changes data, answers',
  (_, row) => {
    it('403 to an owner who views the portal as the partner', async () => {
      expect(await statusOf(row, { token: tokens.owner, ids: bea, as: String(bea.partnerId) })).toBe(403);
    });
  },
);

const ofOneThing = programRoutes.filter(({ path }) => /\{(?!id)/.test(path));

describe.each(named(ofOneThing))('the portal route %s for a single item answers', (_, row) => {
  it('404 for an item of another partner', async () => {
    for (const { link, commissionId } of [cem, dora]) {
      const ids = { ...bea, link, commissionId };
      expect(await statusOf(row, { token: bea.token, ids, body: { status: 'inactive' } })).toBe(404);
    }
  });
});

describe.each(named(reads(ofOneThing)))('the portal route %s, which reads a single item, answers', (_, row) => {
  it('404 to an owner who views the portal as a partner who does not have that item', async () => {
    const ids = { ...bea, commissionId: cem.commissionId };
    expect(await statusOf(row, { token: tokens.owner, ids, as: String(bea.partnerId) })).toBe(404);
  });
});

describe.each(named(reads([...programRoutes, ...accountRoutes])))(
  'the portal route %s, which reads data,',
  (_, row) => {
    it('returns only the partner’s own data', async () => {
      const reply = await ask(row, { token: bea.token, ids: bea });
      expect(reply.status).toBe(200);
      expectNothingOf(reply, [cem, dora], bea);
    });
  },
);

describe.each(named(reads(programRoutes)))('the portal route %s, which reads data of a program,', (_, row) => {
  it('returns the same data to the partner and to an owner who views the portal as that partner', async () => {
    const reply = await ask(row, { token: tokens.owner, ids: bea, as: String(bea.partnerId) });
    expect(reply.body).toEqual((await ask(row, { token: bea.token, ids: bea })).body);
  });
});

describe.each(named(reads(accountRoutes)))('the portal route %s, which reads data of an account,', (_, row) => {
  it('returns an empty result to an account that is no partner', async () => {
    for (const name of ['owner', 'member', 'stranger']) {
      for (const as of [undefined, String(bea.partnerId)]) {
        expect(await statusOf(row, { token: tokens[name], ids: bea, as })).toBe(200);
      }
    }
  });
});

describe('the portal’s list of commissions', () => {
  const row = programRoutes.find((one) => one.function === 'partner/commissions/get')!;
  const asked = ({ token }: Person, query: Readonly<Record<string, string>>) => ask(row, { token, ids: bea, query });

  it('contains only commissions of the partner who asks', async () => {
    const [ofBea, ofCem] = await Promise.all([asked(bea, {}), asked(cem, {})]);
    expect(ofBea.body.data).toHaveLength(4);
    expect(() => expectNothingOf(ofCem, [cem])).toThrow(String(cem.commissionId));
  });

  it('stays within the commissions of the partner who asks, even with a cursor from another partner’s list', async () => {
    const { body } = await asked(cem, { limit: '1' });
    const reply = await asked(bea, { limit: '1', cursor: body.meta.next_cursor });
    expect(reply).toMatchObject({ status: 200, body: { data: [{ kind: expect.any(String) }] } });
    expectNothingOf(reply, [cem, dora], bea);
  });
});

it('the public reply about a program that people can join is the same for all callers', async () => {
  for (const row of publicRoutes) expect(await statusOf(row, { ids: bea })).toBe(200);
});

const bodies: Readonly<Record<string, unknown>> = {
  'partner/payout-details/put': { method: 'paypal', email: 'new@example.com' },
  'partner/me/patch': { mail: false },
  'partner/link/patch': { status: 'inactive' },
  'partner/terms/post': { version: 1 },
  'partner/me/delete': { confirm: 'somebody@else.test' },
};

/** Expected refusals: Cem's program has no terms, Cem has no invitation, and the confirmed address is not Cem's. */
const refusals: Readonly<Record<string, number>> = {
  'partner/terms/post': 409,
  'partner/invitation/decline': 409,
  'partner/me/delete': 400,
};

it('each portal route that changes data replies without data of another partner', async () => {
  // Leaving comes last, because a person who has left can no longer change anything.
  const inOrder = changes(portalRoutes).toSorted(
    (a, b) => Number(a.path.endsWith('/leave')) - Number(b.path.endsWith('/leave')),
  );
  for (const row of inOrder) {
    const reply = await ask(row, { token: cem.token, ids: cem, body: bodies[row.function] ?? {} });
    expect([nameOf(row), reply.status]).toEqual([nameOf(row), refusals[row.function] ?? 200]);
    expectNothingOf(reply, [bea, dora], cem);
  }
});

/** Routes that any account may call, also without a credential. */
const ofAnyAccount = new Set([
  'dashboard/session/post',
  'dashboard/session/delete',
  'dashboard/me/get',
  'dashboard/tokens/get',
  'dashboard/tokens/delete',
  'dashboard/token/delete',
  'dashboard/workspace/post',
  'dashboard/workspace/join',
  'dashboard/workspace/decline',
  'dashboard/processor/callback',
  'cli/auth/start',
  'cli/auth/request',
  'cli/auth/callback',
  'cli/auth/poll',
  'cli/payment-connect',
  'cli/programs',
]);
const brandRoutes = rows.filter(
  ({ path, function: name }) =>
    /^\/api\/(dashboard|agent|v1\/cli|v1\/programs)\b/.test(path) && !ofAnyAccount.has(name),
);

describe.each(named(brandRoutes))('the dashboard’s route %s answers', (_, row) => {
  it('401, 403 or 404 to a partner', async () => {
    for (const token of [bea.token, tokens.Dora]) {
      expect([401, 403, 404]).toContain(await statusOf(row, { token, ids: bea }));
    }
  });
});

it.each(['dashboard/me/get', 'dashboard/tokens/get', 'cli/programs'])(
  'the function %s returns no data of other people to a partner',
  async (name) => {
    const row = rows.find((one) => one.function === name)!;
    const reply = await ask(row, { token: bea.token, ids: bea });
    expect(reply.status).toBe(200);
    expectNothingOf(reply, [cem, dora], bea);
  },
);

describe('a partner who also owns a workspace', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await ownerOf(world, 'beatrix@partners.test'));
  });
  const ofPrograms = brandRoutes.filter(({ path }) => path.startsWith('/api/dashboard/v1/programs/{id}'));

  it.each(named(ofPrograms))('gets 404 from %s for another brand’s program', async (_, row) => {
    expect(await statusOf(row, { token, ids: bea })).toBe(404);
  });
});
