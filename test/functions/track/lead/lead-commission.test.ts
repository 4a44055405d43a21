import { afterEach, describe, expect, it } from 'vitest';
import { handler as lead } from '#functions/track/lead.ts';
import { handler as testEvent } from '#functions/cli/test-event.ts';
import { commission, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { failing, overtakenBy, sentAgain } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import {
  browserLead,
  changeProgram,
  clicked,
  removePartner,
  settledLead,
  sold,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();
afterEach(() => expectNothingHalfWritten(world));

const DAY_MS = 86_400_000;
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const paying = (settings: object = {}) => ownedBrand(world, { leadCommissionCents: 500, ...settings });
const signUp = async (own: OwnedBrand, at = NOW): Promise<string> => {
  const clickId = await clicked(own);
  await settledLead(own, { click_id: clickId, customer_key: `of ${clickId}` }, { at });
  return clickId;
};
const listed = async (own: OwnedBrand, at = NOW) => (await own.owner.get(`${own.path}/commissions`, { at })).body.data;
const leadIdOf = async (clickId: string) =>
  (await world.items(`CUSTOMER#${clickId}`)).find(({ sk }) => sk === 'LEAD')!.id as number;

/** The reply for a lead commission, with the given differences. */
const earnedBy = (own: OwnedBrand, clickId: string, leadId: number, changes: object = {}) =>
  commission(own, {
    id: leadId,
    kind: 'lead',
    click_id: clickId,
    sale_id: null,
    transaction_id: null,
    lead_id: leadId,
    commission_type: 'lead',
    commission_rate: null,
    base_amount_cents: null,
    platform_fee: null,
    amount_cents: 500,
    payable_cents: 500,
    ...changes,
  });

describe('the commission for a settled lead, one that is not provisional,', () => {
  it('is pending, then approved, like other commissions, and has the kind “lead” and its own items', async () => {
    const own = await paying();
    const clickId = await signUp(own);
    const id = await leadIdOf(clickId);
    const at = NOW.toISOString();
    const list = `PROGRAM#${own.program.id}#`;
    expect(await listed(own)).toEqual([earnedBy(own, clickId, id)]);
    expect(await listed(own, HOLD_OVER)).toEqual([
      earnedBy(own, clickId, id, { status: 'approved', approved_at: HOLD_OVER.toISOString() }),
    ]);
    const items = await world.items(`CUSTOMER#${clickId}`);
    expect(items.find(({ sk }) => sk === 'LEAD')).toMatchObject({ id, earned: true });
    expect(items.find(({ sk }) => sk === 'COMMISSION')).toEqual({
      pk: `CUSTOMER#${clickId}`,
      sk: 'COMMISSION',
      gsi1pk: `${list}UNSETTLED_COMMISSIONS`,
      gsi1sk: expect.stringContaining(`${at}#${id}`),
      gsi2pk: `PARTNER#${own.program.id}#${own.partner.id}#OPEN_COMMISSIONS`,
      gsi2sk: expect.stringContaining(`${at}#${id}`),
      id,
      kind: 'lead',
      leadId: id,
      clickId,
      shortLink: own.shortLink,
      programId: own.program.id,
      partnerId: own.partner.id,
      terms: { version: 1, from: 'program', name: own.program.name },
      status: 'pending',
      amountCents: 500,
      currency: 'USD',
      deductedCents: 0,
      refundState: 'none',
      occurredAt: at,
      holdUntil: HOLD_OVER.toISOString(),
      createdAt: at,
      history: [{ at, actor: 'api', action: 'created', from: null, to: 'pending', amountCents: 500, reason: null }],
    });
    expect(await world.items(`COMMISSION#${id}`)).toEqual([
      { pk: `COMMISSION#${id}`, sk: `OF_LEAD#${clickId}`, gsi1pk: `${list}COMMISSIONS`, gsi1sk: `${at}#${id}` },
    ]);
  });

  it('is counted on its day for the program, partner, link and customer, in the program’s currency', async () => {
    const own = await paying({ currency: 'VND' });
    const clickId = await signUp(own);
    await counted(world);
    const { [`CUSTOMER#${clickId}`]: ofCustomer, ...counters } = await counterItems(world);
    const amounts = { commissionVND: 500, 'commissionVND@2026-11-20': 500 };
    expect(ofCustomer).toEqual({ commissionVND: 500 });
    expect(counters[`PROGRAM#${own.program.id}`]).toMatchObject({ leads: 1, ...amounts });
    expect(counters[`PARTNER#${own.program.id}#${own.partner.id}`]).toMatchObject({ leads: 1, ...amounts });
    expect(counters[`LINK#${own.shortLink}`]).toMatchObject({ leads: 1, ...amounts });
  });

  it('is created once, even if a provisional lead came before or a second lead comes after', async () => {
    const own = await paying();
    const clickId = await clicked(own);
    await browserLead({ click_id: clickId });
    expect(await listed(own)).toEqual([]);
    const body = { click_id: clickId, customer_key: 'once' };
    await settledLead(own, body, { at: daysLater(2) });
    expect((await send(lead, { key: own.key, body, at: daysLater(3) })).status).toBe(400);
    const id = await leadIdOf(clickId);
    // The commission counts on the lead's day, and its hold starts when it is created.
    const created = { created_at: daysLater(2).toISOString(), hold_until: daysLater(17).toISOString() };
    expect(await listed(own, daysLater(3))).toEqual([earnedBy(own, clickId, id, created)]);
  });

  it('cannot be switched on while the program accepts leads from browsers as settled', async () => {
    const refusal = 'lead commissions require lead_auth server_required';
    await expect(paying({ leadAuth: 'browser_allowed' })).rejects.toThrow(refusal);
  });

  it('does not change when a sale of the customer is refunded', async () => {
    const own = await paying();
    const clickId = await signUp(own);
    await sold(own, { transaction_id: 'refunded after its lead', click_id: clickId });
    await refunded(own, { transaction_id: 'refunded after its lead' });
    const [ofSale, ofLead] = await listed(own);
    expect(ofSale).toMatchObject({ kind: 'sale', status: 'reversed' });
    expect(ofLead).toEqual(earnedBy(own, clickId, await leadIdOf(clickId)));
  });

  it('can be rejected, or approved and paid before its hold period ends', async () => {
    const own = await paying();
    const [rejected, approved] = [await signUp(own), await signUp(own)];
    const path = `${own.path}/commissions`;
    const ids = await Promise.all([rejected, approved].map(leadIdOf));
    await own.owner.post(`${path}/${ids[0]}/reject`, { reason: 'Made up' });
    expect((await own.owner.post(`${path}/approve`, { ids })).body.data).toMatchObject([
      { id: ids[0], status: 'rejected' },
      { id: ids[1], status: 'approved', error: null },
    ]);
    const made = (await own.owner.post(`${own.path}/payouts`)).body.data;
    expect(made.items).toMatchObject([{ amount_cents: 500, commission_ids: [ids[1]] }]);
    const line = `${ids[1]},,,${own.partner.id},Ana,ana@partners.test,paid,USD,,500,0,500,,`;
    expect((await own.owner.get(`${path}.csv`)).body).toContain(`\r\n${line}`);
    expect((await own.owner.get(`${path}.csv`)).body).toMatch(new RegExp(`,lead,${ids[0]}(?:,|\r\n)`));
  });

  it('is shown in the customer’s history and in the explanation of the customer’s sale', async () => {
    const own = await paying();
    const clickId = await signUp(own);
    await sold(own, { transaction_id: 'told with its lead', click_id: clickId });
    const story = (await own.owner.get(`${own.path}/customers/${clickId}`, { at: HOLD_OVER })).body.data;
    const approved = { status: 'approved', approved_at: HOLD_OVER.toISOString() };
    expect(story.commissions).toEqual([
      expect.objectContaining({ kind: 'sale' }),
      earnedBy(own, clickId, await leadIdOf(clickId), approved),
    ]);
    const { timeline } = (await own.owner.get(`${own.path}/sales/told%20with%20its%20lead`, { at: HOLD_OVER })).body
      .data;
    for (const steps of [story.timeline, timeline]) {
      expect(steps).toContainEqual({
        at: NOW.toISOString(),
        kind: 'commission',
        text: 'Lead commission created: 5.00 USD',
      });
      expect(steps).toContainEqual({
        at: HOLD_OVER.toISOString(),
        kind: 'commission',
        text: 'Lead commission approved: its hold is over',
      });
    }
  });
});

describe('a settled lead earns no commission', () => {
  it.each([
    ['by default', {}],
    ['if the program pays none', { leadCommissionCents: 0 }],
  ])('%s, and the lead itself is stored', async (_, settings) => {
    const own = await ownedBrand(world, settings);
    const clickId = await signUp(own);
    expect(await listed(own)).toEqual([]);
    expect((await world.items(`CUSTOMER#${clickId}`)).map(({ sk }) => sk)).toEqual(['CUSTOMER', 'LEAD']);
    expect((await world.items(`CUSTOMER#${clickId}`))[1]).not.toHaveProperty('earned');
  });

  it('for a partner who was removed, or for a customer without a partner', async () => {
    const own = await paying();
    const [removed, unlinked] = [await clicked(own), await clicked(own)];
    await unlinkPartner(world, own, unlinked);
    await settledLead(own, { click_id: unlinked });
    await removePartner(world, own);
    await settledLead(own, { click_id: removed });
    expect(await listed(own)).toEqual([]);
  });

  it('if the first click is older than the attribution window', async () => {
    const own = await paying({ attributionWindowDays: 7 });
    await signUp(own, daysLater(7));
    expect(await listed(own, daysLater(7))).toHaveLength(1);
    await signUp(own, new Date(daysLater(7).getTime() + 1));
    expect(await listed(own, daysLater(8))).toHaveLength(1);
  });

  it('if the lead belongs to a verification run', async () => {
    const own = await paying();
    expect((await send(testEvent, { key: own.key, body: { type: 'chain' } })).status).toBe(200);
    expect(await listed(own)).toEqual([]);
  });
});

describe('the commission for a lead is created once', () => {
  it('for ten parallel leads of one customer', async () => {
    const own = await paying();
    const clickId = await clicked(own);
    const body = { click_id: clickId, customer_key: 'crowd' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(lead, { key: own.key, body })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await listed(own)).toEqual([earnedBy(own, clickId, await leadIdOf(clickId))]);
  });

  it('if DynamoDB receives the lead’s write twice because a reply was lost', async () => {
    const own = await paying();
    const clickId = await clicked(own);
    await failing('write', sentAgain, () => send(lead, { key: own.key, body: { click_id: clickId } }));
    expect(await listed(own)).toEqual([earnedBy(own, clickId, await leadIdOf(clickId))]);
  });

  it('or, if a sale in parallel was written first, not at all, because the lead is then refused', async () => {
    const own = await paying();
    const clickId = await clicked(own);
    const body = { click_id: clickId, customer_key: 'both at once' };
    const [settling] = await Promise.all([
      send(lead, { key: own.key, body }),
      sold(own, { transaction_id: 'both at once', ...body }),
    ]);
    // A lead of a customer who has paid is refused.
    const kinds = settling.status === 200 ? ['sale', 'lead'] : ['sale'];
    expect((await listed(own)).map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(kinds.toSorted());
  });

  it('by the terms that the lead’s request read, even if the terms change before the lead is written', async () => {
    const own = await paying();
    const clickId = await clicked(own);
    const change = () => changeProgram(world, own, { leadCommissionCents: 900 });
    await failing('write', overtakenBy(change), () => settledLead(own, { click_id: clickId }));
    expect(await listed(own)).toMatchObject([{ amount_cents: 500 }]);
    await signUp(own);
    expect(await listed(own)).toMatchObject([{ amount_cents: 900 }, { amount_cents: 500 }]);
  });
});
