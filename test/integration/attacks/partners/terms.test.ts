import { beforeEach, describe, expect, it } from 'vitest';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { clicked, settledLead, sold } from '#test/support/payments/lives/journeys.ts';
import { type Member, memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// A member or an API tool tries to decide what is paid.

const OWNERS_ONLY = platformError(403, 'Only a workspace owner can do this');
const NEEDS_TERMS = platformError(403, 'Missing required scope: program:terms');
const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * 3_600_000);

let world: World;
let own: OwnedBrand;
let person: Member;
let member: Dashboard;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
  person = await memberOf(world, (await ownerOfBrand(world, own)).workspace);
  member = dashboard(person.token);
});

const changed = async (at: Date) =>
  (await own.owner.post(`${own.path}/payouts/preview`, {}, { at })).body.data.changed_terms;
const minute = (n: number) => hoursAfter(NOW, n / 60);
const percent = (rate: number) => ({ commission_type: 'percent', commission_rate: rate });

const decide = (user: Dashboard, id: number | undefined, how = 'approve') =>
  user.post(`${own.path}/commissions/${id}/${how}`);
const statusOf = async (id: number | undefined) => {
  const { data } = (await own.owner.get(`${own.path}/commissions`)).body;
  return data.find((one: { id: number }) => one.id === id).status;
};

async function heldCommission(): Promise<number> {
  const clickId = await clicked(own);
  await settledLead(own, { click_id: clickId, customer_key: 'self', email: 'ana@partners.test' });
  const id = (await sold(own, { customer_key: 'self', transaction_id: 'self' })).commission_id;
  expect(await statusOf(id)).toBe('held');
  return id;
}

const stored = async () => [
  ...(await world.items(`PROGRAM#${own.program.id}`)),
  ...(await world.items(`AUDIT#${own.program.workspaceId}`)),
];

/** Settings that affect payments, with values that differ from those of a new program. */
const paying: Readonly<Record<string, unknown>> = {
  commission_type: 'fixed',
  commission_rate: 90,
  duration_months: 12,
  lead_commission_cents: 500,
  tiers: [{ from_sales: 1, rate: 50 }],
  currency: 'EUR',
  commission_base: 'excluding_tax',
  terms_apply: 'first_sale',
  hold_period_days: 0,
  auto_approve: false,
  member_approval_cents: 100_000_000,
  minimum_payout_cents: 1,
  attribution_window_days: 365,
  lead_auth: 'browser_allowed',
  code_precedence: 'code_first',
  rules: { velocity: 'off' },
  banned_referrers: ['bad.example'],
  paid_ad_allowed_campaigns: ['spring'],
  velocity_clicks: 999,
  ignored_addresses: ['203.0.113.0/24'],
};

describe('a member who is not an owner', () => {
  it.each(Object.keys(paying))(
    'gets 403 for setting %s, alone or with other fields, and nothing changes',
    async (field) => {
      const before = await stored();
      for (const body of [{ [field]: paying[field] }, { name: 'Mine', [field]: paying[field] }, { [field]: {} }]) {
        const { status, body: answer } = await member.patch(own.path, body);
        expect([status, answer]).toEqual([403, OWNERS_ONLY]);
      }
      expect(await stored()).toEqual(before);
      expect((await own.owner.patch(own.path, { [field]: paying[field] })).status).toBe(200);
    },
  );

  it('gets 403 for removing the approval limit', async () => {
    await own.owner.patch(own.path, { member_approval_cents: 5 });
    expect((await member.patch(own.path, { member_approval_cents: null })).body).toEqual(OWNERS_ONLY);
    expect((await own.owner.get(own.path)).body.data.member_approval_cents).toBe(5);
  });

  it('can set the other fields, even if a field that only owners may set is sent as null', async () => {
    const { status, body } = await member.patch(own.path, {
      name: 'Renamed',
      domain: 'renamed.test',
      allowed_origins: ['https://renamed.test'],
      commission_rate: null,
    });
    expect([status, body.data.name, body.data.domain]).toEqual([200, 'Renamed', 'renamed.test']);
  });

  it('gets 403 for creating or changing a group', async () => {
    const terms = percent(90);
    const { id } = (await own.owner.post(`${own.path}/groups`, { name: 'Gold', terms })).body.data;
    const before = await stored();
    for (const body of [{ name: 'Mine', terms }, {}]) {
      expect((await member.post(`${own.path}/groups`, body)).body).toEqual(OWNERS_ONLY);
      expect((await member.patch(`${own.path}/groups/${id}`, body)).body).toEqual(OWNERS_ONLY);
    }
    expect(await stored()).toEqual(before);
  });

  it('gets 400 for invalid JSON, as an owner does', async () => {
    expect((await member.patch(own.path, '{')).body).toEqual(platformError(400, 'Invalid JSON body'));
  });
});

describe('commissions above the amount that members may approve', () => {
  it('cannot be approved by members, alone or in a batch, but commissions up to that amount can', async () => {
    const [one, two, three] = await earned(own, 3);
    await own.owner.patch(own.path, { member_approval_cents: 979 });
    const { status, body } = await decide(member, one);
    expect([status, body]).toEqual([403, OWNERS_ONLY]);
    expect((await member.post(`${own.path}/commissions/approve`, { ids: [two, three] })).body.data).toEqual(
      [two, three].map((id) => ({ id, status: 'pending', error: 'Only a workspace owner can do this' })),
    );
    expect(await statusOf(one)).toBe('pending');
    expect((await decide(own.owner, one)).status).toBe(200);
    // Approved commissions stay unchanged.
    expect((await decide(member, one)).status).toBe(200);
    await own.owner.patch(own.path, { member_approval_cents: 980 });
    expect((await decide(member, two)).status).toBe(200);
    await own.owner.patch(own.path, { member_approval_cents: 0 });
    expect((await decide(member, three)).body).toEqual(OWNERS_ONLY);
    await own.owner.patch(own.path, { member_approval_cents: null });
    expect((await decide(member, three)).status).toBe(200);
  });

  it('that a rule holds for review cannot be released by members', async () => {
    await own.owner.patch(own.path, { rules: { self_referral: 'hold' } });
    const held = await heldCommission();
    await own.owner.patch(own.path, { member_approval_cents: 10 });
    expect((await decide(member, held, 'release')).body).toEqual(OWNERS_ONLY);
    expect((await member.post(`${own.path}/commissions/release`, { ids: [held] })).body.data).toEqual([
      { id: held, status: 'held', error: 'Only a workspace owner can do this' },
    ]);
    expect((await member.post(`${own.path}/commissions/${held}/reject`, { reason: 'No' })).status).toBe(200);
  });

  it.each([-1, 1.5, 100_000_001, '7', true])('have a threshold that cannot be set to %j', async (value) => {
    expect((await own.owner.patch(own.path, { member_approval_cents: value })).body).toEqual(
      platformError(400, 'member_approval_cents must be an integer from 0 to 100000000'),
    );
  });
});

describe('an agent key without the scope program:terms', () => {
  it.each(Object.keys(paying))(
    'gets 403 for setting %s, alone or with other fields, and nothing changes',
    async (field) => {
      const tool = agent(await agentKeyOf(world, own, ['program:update']));
      const before = await stored();
      for (const body of [{ [field]: paying[field] }, { name: 'Mine', [field]: paying[field] }]) {
        const { status, body: answer } = await tool.update(own.program.id, body);
        expect([status, answer]).toEqual([403, NEEDS_TERMS]);
      }
      expect((await tool.update(999_999, { [field]: paying[field] })).body).toEqual(NEEDS_TERMS);
      expect(await stored()).toEqual(before);
    },
  );

  it('can set other fields; with the scope program:terms it can also set the commission rate', async () => {
    const tool = agent(await agentKeyOf(world, own, ['program:update']));
    expect((await tool.update(own.program.id, { name: 'Renamed', commission_rate: null })).body.data.name).toBe(
      'Renamed',
    );
    const trusted = agent(await agentKeyOf(world, own, ['program:update', 'program:terms']));
    expect((await trusted.update(own.program.id, { commission_rate: 30 })).body.data.commission_rate).toBe(30);
    const only = agent(await agentKeyOf(world, own, ['program:terms']));
    expect((await only.update(own.program.id, { commission_rate: 40 })).body).toEqual(
      platformError(403, 'Missing required scope: program:update'),
    );
  });
});

describe('the preview of a payout', () => {
  it('lists the changes of terms since the last payout, newest first, each with the name of the person or agent key', async () => {
    await earned(own, 1);
    const { account } = await ownerOfBrand(world, own);
    expect(await changed(minute(0))).toEqual([]);
    const { data: group } = (await own.owner.post(`${own.path}/groups`, { name: 'Gold', terms: percent(30) })).body;
    const partnerPath = `${own.path}/partners/${own.partner.id}`;
    await own.owner.patch(own.path, { commission_rate: 25 }, { at: minute(1) });
    await own.owner.patch(own.path, { name: 'No change of terms', commission_rate: 25 }, { at: minute(2) });
    await own.owner.patch(`${own.path}/groups/${group.id}`, { name: 'Silver', terms: percent(35) }, { at: minute(3) });
    await own.owner.patch(partnerPath, { group_id: group.id }, { at: minute(4) });
    await own.owner.patch(partnerPath, { terms: percent(50) }, { at: minute(5) });
    await own.owner.patch(partnerPath, { terms: percent(50) }, { at: minute(6) });
    const tool = agent(await agentKeyOf(world, own, ['program:update', 'program:terms']));
    await tool.update(own.program.id, { commission_rate: 30 }, { at: minute(7) });
    const ofPartner = { from: 'partner', id: own.partner.id, name: 'Ana', by: account.name };
    expect(await changed(minute(8))).toEqual([
      {
        from: 'program',
        id: own.program.id,
        name: 'No change of terms',
        at: minute(7).toISOString(),
        by: 'agent key Tool',
      },
      { ...ofPartner, at: minute(5).toISOString() },
      { ...ofPartner, at: minute(4).toISOString() },
      { from: 'group', id: group.id, name: 'Silver', at: minute(3).toISOString(), by: account.name },
      { from: 'program', id: own.program.id, name: own.program.name, at: minute(1).toISOString(), by: account.name },
    ]);

    const due = hoursAfter(HOLD_OVER, 1);
    expect((await own.owner.post(`${own.path}/payouts`, {}, { at: due })).status).toBe(200);
    expect(await changed(due)).toEqual([]);
    await own.owner.patch(partnerPath, { terms: null }, { at: hoursAfter(due, 1) });
    expect(await changed(hoursAfter(due, 2))).toEqual([{ ...ofPartner, at: hoursAfter(due, 1).toISOString() }]);
    // Members can read the preview as well.
    expect((await member.post(`${own.path}/payouts/preview`, {}, { at: hoursAfter(due, 2) })).status).toBe(200);
  });
});
