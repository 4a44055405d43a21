import { beforeEach, describe, expect, it } from 'vitest';
import { handler as init } from '#functions/cli/init.ts';
import { agent, agentKeyOf } from '#test/support/callers/agent.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { browserLead, clicked } from '#test/support/payments/lives/journeys.ts';
import { ownerOf } from '#test/support/programs/people.ts';
import { send } from '#test/support/callers/request.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';

// Anyone can send a browser lead, so a commission per lead would be free money if browsers settle leads.

let world: World;
let own: OwnedBrand;
beforeEach(async () => {
  world = await openWorld();
  own = await ownedBrand(world);
});

const browsers = { lead_auth: 'browser_allowed' };
const paid = { lead_commission_cents: 500 };
const paidTerms = { commission_type: 'percent', commission_rate: 20, lead_commission_cents: 500 };
const refused = {
  status: 400,
  body: platformError(400, 'lead commissions require lead_auth server_required'),
};
const fields = { name: 'P', domain: 'p.test', commission_type: 'percent', commission_rate: 20 };

const change = (body: object) => own.owner.patch(own.path, body);
const partnerPath = () => `${own.path}/partners/${own.partner.id}`;
const settings = async () => {
  const { lead_auth, lead_commission_cents } = (await own.owner.get(own.path)).body.data;
  return { lead_auth, lead_commission_cents };
};

/** The ways in which an owner pays for leads. */
const payForLeads: Record<string, () => Promise<{ status: number }>> = {
  'the program': () => change(paid),
  'a group': () => own.owner.post(`${own.path}/groups`, { name: 'Paid', terms: paidTerms }),
  'a partner': () => own.owner.patch(partnerPath(), { terms: paidTerms }),
};
const payers = Object.entries(payForLeads);

describe('paying for leads while anonymous browsers may confirm them', () => {
  it.each(payers)('is refused if %s would begin to pay for leads while browsers may confirm them', async (_, pay) => {
    expect(await change(browsers)).toMatchObject({ status: 200 });
    expect(await pay()).toMatchObject(refused);
    expect(await settings()).toEqual({ ...browsers, lead_commission_cents: 0 });
  });

  it.each(payers)(
    'is refused if browsers would be allowed to confirm leads while %s already pays for them',
    async (_, pay) => {
      expect(await pay()).toMatchObject({ status: 200 });
      expect(await change(browsers)).toMatchObject(refused);
      expect(await settings()).toMatchObject({ lead_auth: 'server_required' });
    },
  );

  it('is refused if the terms of an existing group would begin to pay for leads', async () => {
    const { terms, ...group } = { name: 'G', terms: { ...paidTerms, lead_commission_cents: 0 } };
    const { data } = (await own.owner.post(`${own.path}/groups`, { ...group, terms })).body;
    await change(browsers);
    expect(await own.owner.patch(`${own.path}/groups/${data.id}`, { terms: paidTerms })).toMatchObject(refused);
    expect(await own.owner.patch(`${own.path}/groups/${data.id}`, { name: 'H' })).toMatchObject({ status: 200 });
  });

  it('is refused if the request also changes the partner’s name, which is not stored either', async () => {
    await change(browsers);
    expect(await own.owner.patch(partnerPath(), { name: 'Other', terms: paidTerms })).toMatchObject(refused);
    expect((await own.owner.get(partnerPath())).body.data).toMatchObject({ name: own.partner.name, terms: null });
  });

  it('is refused if one request sets both the payment for leads and the confirmation by browsers', async () => {
    expect(await change({ ...browsers, ...paid })).toMatchObject(refused);
    expect(await own.owner.post('/programs', { ...fields, ...browsers, ...paid })).toMatchObject(refused);
    const tool = agent(await agentKeyOf(world, own));
    expect(await tool.update(own.program.id, { ...browsers, ...paid })).toMatchObject(refused);
    await change(paid);
    expect(await tool.update(own.program.id, browsers)).toMatchObject(refused);
  });

  it('is impossible for a program created by the CLI, because the endpoint ignores both settings', async () => {
    const { token } = await ownerOf(world);
    const reply = await send(init, { key: token, body: { ...fields, ...browsers, ...paid } });
    expect(reply).toMatchObject({ status: 200 });
    const made = await world.deps().table.get({ pk: `PROGRAM#${reply.body.data.program_id}`, sk: 'PROGRAM' });
    expect(made).toMatchObject({ leadAuth: 'server_required' });
    expect(made).not.toHaveProperty('leadCommissionCents');
  });
});

describe('a program can let browsers confirm leads', () => {
  it('after it has set its payment for leads to 0, and can pay for leads again after allowing only servers to confirm them', async () => {
    await change(paid);
    await change({ lead_commission_cents: 0 });
    expect(await change(browsers)).toMatchObject({ status: 200 });
    expect(await change({ lead_auth: 'server_required', ...paid })).toMatchObject({ status: 200 });
  });

  it('after a partner’s personal terms that pay for leads have been removed', async () => {
    await own.owner.patch(partnerPath(), { terms: paidTerms });
    await own.owner.patch(partnerPath(), { terms: null });
    expect(await change(browsers)).toMatchObject({ status: 200 });
  });
});

describe('two parallel requests, one to pay for leads and one to let browsers confirm them', () => {
  it.each(payers)('leave only one of them accepted: the request for browsers or the request for %s', async (_, pay) => {
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([change(browsers), pay()]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      own = await ownedBrand(world);
    }
  });

  it('never let 30 anonymous sign-ups earn a commission for leads', async () => {
    await change(browsers);
    await change(paid);
    const clicks = await Promise.all(Array.from({ length: 30 }, () => clicked(own)));
    await Promise.all(clicks.map((clickId) => browserLead({ click_id: clickId })));
    expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([]);
  });
});
