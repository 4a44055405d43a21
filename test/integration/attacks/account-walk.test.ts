import { beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes } from '#infra/routes.ts';
import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { apiClient } from '#test/support/callers/api-client.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { everyNth } from '#test/support/cases/cases.ts';

// Calls every route of the service that a person or their brand can request, for people who have not accepted to
// be a partner, or who have left: no reply to the brand may reveal anything of the account.

openProcessor();

const PORTAL = '/api/partner/v1';
const DASHBOARD = '/api/dashboard/v1';
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const portalRoutes = routes.filter(({ path }) => path.startsWith(`${PORTAL}/programs/{id}`));
const viewRoutes = routes.filter(({ method, path }) => method === 'GET' && path.startsWith(PORTAL));
const brandRoutes = routes.filter(
  ({ method, path }) =>
    path.startsWith(DASHBOARD) &&
    (method === 'GET' || (path.startsWith(`${DASHBOARD}/programs/{id}`) && /partner|payout/.test(path))),
);

/** Puts routes that remove a partner, or that respond for the person, last. */
const inOrder = (some: readonly Route[]) =>
  some.toSorted((one, other) => Number(one.method !== 'GET') - Number(other.method !== 'GET'));

const NOT_YET = 'You are not a partner of this program yet';
const HAS_LEFT = 'You have left this program';
const IS_REMOVED =
  'The program has removed you: nothing is shared through it unless you accept to be its partner again';

interface Subject {
  readonly token: string;
  readonly partnerId: number;
  /** A payout recorded for the person, if possible. */
  readonly payoutId: number;
  readonly link: string;
  /** Values that no reply to the brand may contain. */
  readonly secrets: readonly string[];
  readonly refusal: string;
  /** Whether the account has acted as a partner, so that the audit list shows its name. */
  readonly hasActed: boolean;
}

let own: OwnedBrand;
let owner: string;
const subjects: Record<string, Subject> = {};

const ibans = [
  'DE89370400440532013000',
  'GB33BUKB20201555555555',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'AT611904300234573201',
  'CH9300762011623852957',
];

/** @param step what happens to the person before the walk */
async function subject(
  name: string,
  refusal: string,
  { invite, before, step }: { invite?: true; before?: true; step?: (token: string, path: string) => Promise<unknown> },
): Promise<void> {
  const n = Object.keys(subjects).length;
  const person = await signedInAs(world, newAddress(`person${n}`));
  const { id, email } = person.account;
  const accountName = `Zaphod${n} Privately`;
  await world.deps().table.update(keys.account(id), { set: { name: accountName } });
  const details = (iban: string) => ({ method: 'bank', account_holder: `Holder${n} Secretly`, iban });
  const setDetails = async (iban: string) => {
    expect((await portal(person.token).put('/payout-details', details(iban))).status).toBe(200);
  };
  // The shared details, which the brand may see, differ from the current ones.
  if (before) await portal(person.token).put('/payout-details', { method: 'paypal', email: `shared${n}@example.com` });
  else await setDetails(ibans[n]!);
  const added = await own.owner.post(`${own.path}/partners`, { name: `Partner ${n}`, email, invite });
  const partnerId = added.body.data.id as number;
  const path = `${own.path}/partners/${partnerId}`;
  await portal(person.token).get('/me');
  const short_link = `walked-${n}-${own.program.id}`;
  if (!invite) await own.owner.post(`${own.path}/links`, { partner_id: partnerId, short_link });
  await own.owner.post(`${path}/commissions`, { amount_cents: 100, currency: 'USD', reason: 'Bonus' });
  const made = await own.owner.post(`${own.path}/payouts`, { partner_id: partnerId });
  await step?.(person.token, path);
  if (before) await setDetails(ibans[n]!);
  subjects[name] = {
    token: person.token,
    partnerId,
    payoutId: made.body.data?.id ?? 999_999,
    link: short_link,
    secrets: [ibans[n]!, `**** ${ibans[n]!.slice(-4)}`, `Holder${n}`, `Zaphod${n}`],
    refusal,
    hasActed: before ?? false,
  };
}

const world = openedWorld();
beforeAll(async () => {
  own = await ownedBrand(world);
  owner = (await ownerOfBrand(world, own)).token;
  const decline = (token: string) => portal(token).post(`${own.path}/decline`);
  await subject('is invited', NOT_YET, { invite: true });
  await subject('was added', NOT_YET, {});
  await subject('declined an invitation', NOT_YET, { invite: true, step: decline });
  await subject('declined after being added', HAS_LEFT, { step: decline });
  await subject('was removed', HAS_LEFT, {
    before: true,
    step: async (token, path) => {
      await accepted({ token }, own.path);
      await own.owner.patch(path, { status: 'removed' });
    },
  });
  await subject('left', HAS_LEFT, {
    before: true,
    step: async (token) => {
      await accepted({ token }, own.path);
      await portal(token).post(`${own.path}/leave`);
    },
  });
  await subject('was restored', NOT_YET, {
    before: true,
    step: async (token, path) => {
      await accepted({ token }, own.path);
      for (const status of ['removed', 'active']) await own.owner.patch(path, { status });
    },
  });
});

const names = [
  'is invited',
  'was added',
  'declined an invitation',
  'declined after being added',
  'was removed',
  'left',
  'was restored',
];

/** Bodies for which the person's state determines the reply; a route that needs a body must be added here. */
const bodies: Readonly<Record<string, unknown>> = {
  'partner/terms/post': { version: 1 },
  'partner/link/patch': { status: 'inactive' },
  'dashboard/partner/patch': { name: 'Renamed' },
  'dashboard/partner/reject': { reason: 'No' },
  'dashboard/partner/commission': { amount_cents: 1, currency: 'USD', reason: 'More' },
};

/** Every URL of a route for a person. */
function addressesOf({ path }: Route, { partnerId, payoutId, link }: Subject): string[] {
  const values: Record<string, number | string> = {
    id: own.program.id,
    program_id: own.program.id,
    partner_id: partnerId,
    payout_id: payoutId,
    short_link: link,
    commission_id: 1,
  };
  const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => String(values[name] ?? 1));
  return filled.endsWith(`/payouts/${payoutId}`) ? [filled, `${filled}.csv`, `${filled}.paypal.csv`] : [filled];
}

let asked = 0;

/** Sends few requests per minute because of the rate limits, and an invitation a week after the previous one. */
async function ask({ method, function: name }: Route, address: string, token: string): Promise<TestReply> {
  asked += 1;
  const days = name === 'dashboard/partner/invite' ? 8 : 0;
  const at = new Date(NOW.getTime() + days * DAY_MS + Math.floor(asked / 100) * 60_000);
  const body = method === 'GET' ? undefined : (bodies[name] ?? {});
  const reply = await apiClient('', token).ask(method, address, body, { at });
  expect([429, 500]).not.toContain(reply.status);
  return reply;
}

/** The secrets in a reply. */
function disclosedIn(reply: TestReply, { secrets }: Subject): string[] {
  const text = JSON.stringify([reply.body, reply.headers]);
  return secrets.filter((secret) => text.includes(secret));
}

/** These routes respond for the person. */
const answers = new Set(['partner/invitation/accept', 'partner/invitation/decline']);

describe.each(names)('a person who %s', (name) => {
  const changes = portalRoutes.filter((row) => row.method !== 'GET' && !answers.has(row.function));
  for (const [at, row] of changes.entries())
    it(`cannot change anything by ${nameOf(row)}`, everyNth(3, at), async () => {
      const one = subjects[name]!;
      const [address = ''] = addressesOf(row, one);
      const { body } = await ask(row, address, one.token);
      // People who are only invited have no links.
      const hasNone = row.path.includes('{short_link}') && ['is invited', 'declined an invitation'].includes(name);
      const isRemoved = name === 'was removed' && row.function === 'partner/program/leave';
      const refusal = isRemoved ? IS_REMOVED : one.refusal;
      expect(body).toEqual(hasNone ? platformError(404, 'Link not found') : platformError(409, refusal));
    });

  for (const [at, row] of inOrder(viewRoutes).entries())
    it(`can still read ${nameOf(row)}`, everyNth(3, at), async () => {
      const one = subjects[name]!;
      for (const address of addressesOf(row, one))
        expect([200, 302, 404]).toContain((await ask(row, address, one.token)).status);
    });
});

describe.each(names)('data of a person who %s', (name) => {
  for (const [at, row] of inOrder(brandRoutes).entries())
    it(`is hidden from the brand in ${nameOf(row)}`, everyNth(3, at), async () => {
      const one = subjects[name]!;
      for (const address of addressesOf(row, one)) {
        for (const query of row.method === 'GET' ? ['', `?q=Partner&partner_id=${one.partnerId}`] : ['']) {
          const reply = await ask(row, address + query, owner);
          const isKept = ['dashboard/audit/get', 'dashboard/audit/export'].includes(row.function) && one.hasActed;
          expect(disclosedIn(reply, one).filter((secret) => !isKept || !secret.startsWith('Zaphod'))).toEqual([]);
        }
      }
    });

  for (const [at, row] of viewRoutes.entries())
    it(`is hidden from an owner who views the portal as the partner, in ${nameOf(row)}`, everyNth(3, at), async () => {
      const one = subjects[name]!;
      for (const address of addressesOf(row, one)) {
        const reply = await ask(row, `${address}?as=${one.partnerId}`, owner);
        expect(disclosedIn(reply, one)).toEqual([]);
      }
    });
});

it.each([
  ['was removed', 'shared4@example.com'],
  ['left', 'shared5@example.com'],
  ['was restored', 'shared6@example.com'],
])(
  'the CSV file of an older payout contains the payout details that a person shared last, if the person %s',
  async (name, shared) => {
    const row = brandRoutes.find((one) => one.function === 'dashboard/payout/get')!;
    const [, file = ''] = addressesOf(row, subjects[name]!);
    expect((await ask(row, file, owner)).body).toContain(`,paypal,${shared},`);
  },
);
