import { describe, expect, it } from 'vitest';
import { everyNth } from '#test/support/cases/cases.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { earned, HOLD_OVER, ownedBrand, type OwnedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { statusesOf } from '#test/support/callers/request.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { endpointOf } from '#test/support/outbox/webhooks.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Two users may change the same data. A user who sends the values they saw cannot undo the other's change by accident.

openProcessor();

const world = openedWorld();

interface Scene extends OwnedBrand {
  /** Another owner of the workspace. */
  readonly kim: Dashboard;
  readonly kimsName: string;
}

async function scene(): Promise<Scene> {
  const own = await ownedBrand(world);
  const { workspace } = await ownerOfBrand(world, own);
  const { token, account } = await memberOf(world, workspace, 'owner');
  return { ...own, kim: dashboard(token), kimsName: account.name };
}

const LATER = new Date('2026-11-20T15:01:00.000Z');

/** An item with changeable fields. */
interface Thing {
  readonly what: string;
  /** Creates it. @returns its path */
  readonly make: (own: Scene) => Promise<string>;
  /** A change of one field, and another change of the same field. */
  readonly mine: Readonly<Record<string, unknown>>;
  readonly theirs: Readonly<Record<string, unknown>>;
  /** A change of another field, which causes no conflict. */
  readonly other?: Readonly<Record<string, unknown>>;
}

const terms = { commission_type: 'percent', commission_rate: 5 };
const madeGroup = async ({ owner, path }: OwnedBrand) =>
  `${path}/groups/${(await owner.post(`${path}/groups`, { name: 'Friends', terms })).body.data.id}`;
async function madePayout(own: OwnedBrand): Promise<string> {
  await earned(own, 1);
  const made = await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER });
  return `${own.path}/payouts/${made.body.data.id}`;
}

const things: readonly Thing[] = [
  {
    what: 'a program',
    make: async ({ path }) => path,
    mine: { commission_rate: 25 },
    theirs: { commission_rate: 22 },
    other: { hold_period_days: 20 },
  },
  {
    what: 'the terms text for partners',
    make: async ({ path }) => path,
    mine: { partner_terms: 'No ads.' },
    theirs: { partner_terms: 'No spam.' },
    other: { name: 'Renamed' },
  },
  {
    what: 'a list of a program',
    make: async ({ path }) => path,
    mine: { ignored_addresses: ['203.0.113.7'] },
    theirs: { ignored_addresses: ['203.0.113.8'] },
    other: { allowed_origins: ['https://shop.test'] },
  },
  {
    what: 'a group',
    make: madeGroup,
    mine: { name: 'Mine' },
    theirs: { name: 'Theirs' },
    other: { terms: { ...terms, commission_rate: 7 } },
  },
  {
    what: 'the terms of a group',
    make: madeGroup,
    mine: { terms: { ...terms, commission_rate: 7 } },
    theirs: { terms: { ...terms, duration_months: 3 } },
    other: { name: 'Renamed' },
  },
  {
    what: 'a partner',
    make: async ({ path, partner }) => `${path}/partners/${partner.id}`,
    mine: { name: 'Ann' },
    theirs: { name: 'Anna' },
    other: { terms },
  },
  {
    what: 'the terms of a partner',
    make: async ({ path, partner }) => `${path}/partners/${partner.id}`,
    mine: { terms: { ...terms, commission_rate: 7 } },
    theirs: { terms },
    other: { email: 'anna@people.test' },
  },
  {
    what: 'the status of a partner',
    make: async ({ path, partner }) => `${path}/partners/${partner.id}`,
    mine: { status: 'removed' },
    theirs: { status: 'removed' },
    other: { name: 'Anna' },
  },
  {
    what: 'a link',
    make: async ({ path, shortLink }) => `${path}/links/${shortLink}`,
    mine: { status: 'inactive' },
    theirs: { status: 'inactive' },
  },
  {
    what: 'a code',
    async make({ owner, path, partner }) {
      await owner.post(`${path}/codes`, { partner_id: partner.id, code: 'ANA10' });
      return `${path}/codes/ANA10`;
    },
    mine: { processor_code_id: 'promo_mine' },
    theirs: { processor_code_id: 'promo_theirs' },
    other: { status: 'disabled' },
  },
  {
    what: 'a webhook endpoint',
    make: async (own) => (await endpointOf(own)).path,
    mine: { events: ['sale.recorded'] },
    theirs: { events: ['sale.recorded', 'sale.refunded'] },
    other: { description: 'For the shop' },
  },
  { what: 'a payout', make: madePayout, mine: { reference: 'mine' }, theirs: { reference: 'theirs' } },
];

/** Reads the item itself, or finds it in its list if no route reads it alone. */
async function shown(own: Scene, url: string): Promise<Record<string, unknown>> {
  if (!url.includes('/groups/') && !url.includes('/codes/')) return (await own.owner.get(url)).body.data;
  const [, list, id] = /^(.*)\/([^/]+)$/.exec(url)!;
  const rows: Record<string, unknown>[] = (await own.owner.get(list!)).body.data;
  return rows.find((row) => String(row.id ?? row.code) === id)!;
}

const fieldOf = (change: object): string => Object.keys(change)[0]!;
const seenOf = (thing: Record<string, unknown>, change: object) => ({
  seen: Object.fromEntries(Object.keys(change).map((field) => [field, thing[field]])),
});

for (const [index, { what, make, mine, theirs, other }] of things.entries()) {
  describe(
    `a change of stored data, such as ${what}, by a user who sends the values on the screen as seen,`,
    everyNth(3, index),
    () => {
      it('is made if the `seen` values are the current ones, or if `seen` is null', async () => {
        const own = await scene();
        const url = await make(own);
        const at = LATER;
        const before = await shown(own, url);
        const changed = await own.owner.patch(url, { ...mine, ...seenOf(before, mine) }, { at });
        expect(changed).toMatchObject({ status: 200, body: { data: await shown(own, url) } });
        expect(await own.owner.patch(url, { ...theirs, seen: null }, { at })).toMatchObject({ status: 200 });
        expect(await shown(own, url)).toMatchObject(theirs);
      });

      it('is refused if another user has changed the values; the reply names that user and the new values', async () => {
        const own = await scene();
        const url = await make(own);
        const before = await shown(own, url);
        expect(await own.kim.patch(url, theirs, { at: LATER })).toMatchObject({ status: 200 });
        const left = await shown(own, url);
        const refused = await own.owner.patch(url, { ...mine, ...other, ...seenOf(before, { ...mine, ...other }) });
        const field = fieldOf(mine);
        expect(refused).toMatchObject({ status: 409 });
        expect(refused.body).toEqual(
          platformError(409, `Changed meanwhile: ${field}`, {
            changed: { [field]: left[field] },
            by: { name: own.kimsName },
            at: LATER.toISOString(),
          }),
        );
        expect(await shown(own, url)).toEqual(left);
      });

      it('is made once if eight requests with the same `seen` values arrive in parallel', async () => {
        const own = await scene();
        const url = await make(own);
        const before = await shown(own, url);
        const replies = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            own.owner.patch(url, { ...(n % 2 === 0 ? mine : theirs), ...seenOf(before, mine) }),
          ),
        );
        expect(statusesOf(replies).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
        const won = replies.find(({ status }) => status === 200)!;
        expect((await shown(own, url))[fieldOf(mine)]).toEqual(won.body.data[fieldOf(mine)]);
      });
    },
  );
}

describe('the values that a user saw, sent as `seen`,', () => {
  it.each([[7], ['all'], [[]], [true]])('are refused in the form %j, and nothing changes', async (seen) => {
    for (const { make, mine } of things) {
      const own = await scene();
      const url = await make(own);
      const before = await shown(own, url);
      const refused = await own.owner.patch(url, { ...mine, seen });
      expect(refused).toMatchObject(refusal(400, 'seen must be an object'));
      expect(await shown(own, url)).toEqual(before);
    }
  });

  it('cause no conflict if another user changed only other fields or only counters changed', async () => {
    const own = await scene();
    const before = await shown(own, own.path);
    await own.kim.patch(own.path, { hold_period_days: 20, velocity_clicks: 50 });
    const partner = `${own.path}/partners/${own.partner.id}`;
    const partnerBefore = await shown(own, partner);
    await earned(own, 1);
    expect(await own.owner.patch(own.path, { ...before, hold_period_days: 20, seen: {} })).toMatchObject({
      status: 200,
    });
    const whole = await own.owner.patch(own.path, { commission_rate: 25, updated_at: 'x', seen: before });
    expect(whole).toMatchObject({ status: 200 });
    expect(await own.owner.patch(partner, { ...partnerBefore, name: 'Ann', seen: partnerBefore })).toMatchObject({
      status: 200,
    });
  });

  it('are compared only for the rules that the request changes', async () => {
    const own = await scene();
    const before = await shown(own, own.path);
    await own.kim.patch(own.path, { rules: { velocity: 'hold' } });
    const change = { rules: { paid_ad: 'hold' }, seen: { rules: before.rules } };
    expect(await own.owner.patch(own.path, change)).toMatchObject({ status: 200 });
    const refused = await own.owner.patch(own.path, { rules: { velocity: 'off' }, seen: { rules: before.rules } });
    expect(refused).toMatchObject({ status: 409, body: { error: { message: 'Changed meanwhile: rules' } } });
    const { rules } = (await shown(own, own.path)) as { rules: object };
    expect(refused.body.error.details.changed).toEqual({ rules });
    expect(rules).toMatchObject({ velocity: 'hold', paid_ad: 'hold' });
    // Any stored value differs from a value that is not an object.
    expect(await own.owner.patch(own.path, { rules: { velocity: 'off' }, seen: { rules: 7 } })).toMatchObject({
      status: 409,
    });
  });

  it('can be an empty string if the text was empty', async () => {
    const own = await scene();
    const change = { partner_terms: 'No ads.', seen: { partner_terms: '' } };
    expect(await own.owner.patch(own.path, change)).toMatchObject({ status: 200 });
  });

  it('are compared only if the request has no other error', async () => {
    const own = await scene();
    await own.kim.patch(own.path, { commission_rate: 22 });
    const wrong = await own.owner.patch(own.path, { commission_rate: 101, seen: { commission_rate: 20 } });
    expect(wrong.body).toEqual(platformError(400, 'commission_rate must be at most 100 for percent types'));
    await own.kim.patch(own.path, { lead_auth: 'browser_allowed' });
    const leads = { lead_commission_cents: 100, commission_rate: 30, seen: { commission_rate: 20 } };
    expect(await own.owner.patch(own.path, leads)).toMatchObject({ status: 400 });
    const gone = await own.owner.patch(`${own.path}/groups/9`, { name: 'x', seen: { name: 'y' } });
    expect(gone.body).toEqual(platformError(404, 'Group not found'));
  });

  it('lead to a conflict that names all changed fields and, if recorded, who made the newest change', async () => {
    const own = await scene();
    await own.kim.patch(own.path, { commission_rate: 22, name: 'First' });
    await own.owner.patch(own.path, { name: 'Second' }, { at: LATER });
    const seen = { name: 'Acme', commission_rate: 20 };
    const both = await own.kim.patch(own.path, { name: 'Third', commission_rate: 30, seen });
    const { account } = await ownerOfBrand(world, own);
    expect(both.body).toEqual(
      platformError(409, 'Changed meanwhile: name, commission_rate', {
        changed: { name: 'Second', commission_rate: 22 },
        by: { name: account.name },
        at: LATER.toISOString(),
      }),
    );
    const never = await own.kim.patch(own.path, { domain: 'new.test', seen: { domain: 'old.test' } });
    expect(never.body.error.details).toMatchObject({ by: null, at: null });
  });

  it('include the partner’s name, which is shared by all programs; one conflict prevents the whole change', async () => {
    const own = await scene();
    const settings = { name: 'Second', domain: 'second.test', commission_type: 'percent', commission_rate: 1 };
    const second = `/programs/${(await own.owner.post('/programs', settings)).body.data.id}`;
    await own.owner.post(`${second}/partners`, { name: 'Ana', email: own.partner.email });
    await own.kim.patch(`${second}/partners/${own.partner.id}`, { name: 'Anna' }, { at: LATER });
    const url = `${own.path}/partners/${own.partner.id}`;
    const left = await shown(own, url);
    const change = { status: 'removed', terms, name: 'Ann', seen: { name: 'Ana', terms: null, status: 'active' } };
    const refused = await own.owner.patch(url, change);
    expect(refused.body.error).toMatchObject({
      message: 'Changed meanwhile: name',
      details: { changed: { name: 'Anna' }, by: { name: own.kimsName }, at: LATER.toISOString() },
    });
    expect(await shown(own, url)).toEqual(left);
  });
});

describe('an agent’s request to change a program', () => {
  it('can include `seen` values; the reply to a person whose `seen` values it made outdated names the agent’s key', async () => {
    const own = await scene();
    const tool = agent(await agentKeyOf(world, own));
    const { id } = own.program;
    expect(await tool.update(id, { commission_rate: 22, seen: { commission_rate: 20 } })).toMatchObject({
      status: 200,
    });
    const late = await own.owner.patch(own.path, { commission_rate: 25, seen: { commission_rate: 20 } });
    expect(late.body.error.details).toMatchObject({ changed: { commission_rate: 22 }, by: { name: 'agent key Tool' } });
    // An agent's `seen` is ignored for fields that agents cannot change.
    const ignored = { name: 'New', hold_period_days: 3, seen: { hold_period_days: 1 } };
    expect(await tool.update(id, ignored)).toMatchObject({ status: 200 });
    const refused = await tool.update(id, { name: 'Newer', seen: { name: 'Old' } });
    expect(refused.body.error.message).toBe('Changed meanwhile: name');
    expect(await tool.update(id, { name: 'Newer', seen: 7 })).toMatchObject(refusal(400, 'seen must be an object'));
  });
});
