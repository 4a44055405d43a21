import { describe, expect, it } from 'vitest';
import { handler as sale } from '#functions/track/sale.ts';
import { commission, HOLD_OVER, type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import {
  anotherPartner,
  browserLead,
  clicked,
  settledLead,
  signedUp,
  sold,
  soldTo,
  unlinkPartner,
} from '#test/support/payments/lives/journeys.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { handler as click } from '#functions/track/click.ts';
import { refusedReply, dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const day = (n: number) => new Date(NOW.getTime() + n * 86_400_000);
const time = (n: number) => day(n).toISOString();

const explained = (own: OwnedBrand, transactionId: string, at = NOW) =>
  own.owner.get(`${own.path}/sales/${encodeURIComponent(transactionId)}`, { at });

const soldFields = (own: { sale_id: number }, transactionId: string, at: string) => ({
  id: own.sale_id,
  transaction_id: transactionId,
  amount_cents: 4900,
  tax_cents: null,
  base_cents: 4900,
  currency: 'USD',
  source: 'api',
  sale_type: 'payment',
  is_recurring: false,
  renewal_by: null,
  subscription_id: null,
  provider: null,
  provider_payment_id: null,
  livemode: null,
  is_test: false,
  terms: { version: 1, from: 'program', name: expect.stringMatching(/^Program/) },
  code: null,
  payment_status: 'paid',
  refunded_amount_cents: 0,
  duplicate_of: null,
  occurred_at: at,
  created_at: at,
});

const unchecked = {
  checked: false,
  reason: 'conversion_already_recorded',
  first_click_at: null,
  compared_with: null,
  compared_at: null,
  age_ms: null,
  age_days: null,
  window_days: null,
  within: null,
};

describe('a transaction id that contains any characters', () => {
  it.each(['a/b', 'a%252Fb', '/a', 'a//b', '..', 'a/../b', '%zz', 'a+b', 'a,b', 'a&b=c#d?e f', '💶'])(
    'finds its sale when sent as a query parameter: %s',
    async (id) => {
      const own = await ownedBrand(world);
      await soldTo(own, 'user_1', { transaction_id: id });
      const { status, body } = await own.owner.get(`${own.path}/sales?transaction_id=${encodeURIComponent(id)}`);
      expect([status, body.data.sale.transaction_id]).toEqual([200, id]);
    },
  );

  it.each(['a%2Fb', 'a b', 'a+b', 'a/b/c', '💶'])(
    'finds its sale when sent at the end of the path: in/%s',
    async (end) => {
      const own = await ownedBrand(world);
      const id = `in/${end}`;
      await soldTo(own, 'user_1', { transaction_id: id });
      const { status, body } = await explained(own, id);
      expect([status, body.data.sale.transaction_id]).toEqual([200, id]);
    },
  );

  it.each(['', '?transaction_id=', '?transaction_id=none', '?transaction_id=%00'])(
    'answers 404 if no sale has it: "%s"',
    async (query) => {
      const own = await ownedBrand(world);
      expect(await own.owner.get(`${own.path}/sales${query}`)).toEqual(
        refusedReply(404, 'Sale not found for transaction_id'),
      );
    },
  );
});

describe('the explanation of a sale', () => {
  it('says why this partner got the sale, with the settings in force at the sale, and what happened afterwards', async () => {
    const own = await ownedBrand(world, { holdPeriodDays: 0 });
    const ben = await anotherPartner(world, own, 'Ben');
    const clickId = await clicked(own);
    await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId }, at: day(1) });
    await settledLead(own, { click_id: clickId, customer_key: 'user_123', email: 'u@example.com' }, { at: day(12) });
    const id = 'in/1 ü';
    const answer = await sold(own, { transaction_id: id, customer_key: 'user_123' }, { at: day(13) });
    await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId }, at: day(14) });
    await refunded(own, { transaction_id: id, refund_amount_cents: 2450 }, day(15));
    // Later changes of the program do not affect the explanation.
    await own.owner.patch(own.path, { attribution_window_days: 5, commission_rate: 50 });

    const refundAmounts = { amount_cents: 2450, refunded_amount_cents: 2450, deduction_cents: 490 };
    expect(await explained(own, id, day(16))).toEqual(
      dataReply(
        {
          sale: {
            ...soldFields(answer, id, time(13)),
            payment_status: 'partially_refunded',
            refunded_amount_cents: 2450,
          },
          attribution: {
            resolved_by: 'customer_key',
            identifier: 'user_123',
            partner: { id: own.partner.id, name: 'Ana', short_link: own.shortLink },
            overruled: null,
            text: `Customer user_123 was found by customer_key. The first click came through link ${own.shortLink} of Ana.`,
          },
          customer: {
            click_id: clickId,
            customer_key: 'user_123',
            status: 'conversion',
            lead_state: 'settled',
            email_masked: 'u***@example.com',
            source: 'click',
            code: null,
            first_click_at: time(0),
            signup_at: time(12),
            first_purchase_at: time(13),
          },
          clicks: [
            {
              id: expect.any(Number),
              at: time(0),
              short_link: own.shortLink,
              partner_id: own.partner.id,
              partner_name: 'Ana',
              first: true,
            },
            {
              id: expect.any(Number),
              at: time(1),
              short_link: ben.shortLink,
              partner_id: ben.partner.id,
              partner_name: 'Ben',
              first: false,
            },
          ],
          lead: { id: expect.any(Number), state: 'settled', mode: 'server', at: time(12) },
          window: {
            checked: true,
            reason: null,
            first_click_at: time(0),
            compared_with: 'signup',
            compared_at: time(12),
            age_ms: 12 * 86_400_000,
            age_days: 12,
            window_days: 60,
            within: true,
          },
          commission: commission(own, {
            id: answer.commission_id,
            sale_id: answer.sale_id,
            transaction_id: id,
            status: 'approved',
            deducted_cents: 490,
            payable_cents: 490,
            kind: 'sale',
            lead_id: null,
            reason: null,
            refund_state: 'partial',
            platform_fee: { amount_cents: 172, reduced_cents: 86, bps: 350, currency: 'USD' },
            occurred_at: time(13),
            created_at: time(13),
            hold_until: time(13),
            approved_at: time(13),
            version: 2,
          }),
          tiers: null,
          refunds: [{ id: expect.any(Number), at: time(15), reason: 'refund', refund_reason: null, ...refundAmounts }],
          history: [
            {
              at: time(13),
              actor: 'api',
              action: 'created',
              from: null,
              to: 'pending',
              amount_cents: 980,
              reason: null,
            },
            {
              at: time(15),
              actor: 'api',
              action: 'deducted',
              from: 'pending',
              to: 'pending',
              amount_cents: 490,
              reason: 'refund',
            },
          ],
          timeline: [
            { at: time(0), kind: 'click', text: `First click through link ${own.shortLink} (Ana)` },
            { at: time(1), kind: 'click', text: `Later click through link ${ben.shortLink} (Ben)` },
            { at: time(12), kind: 'lead', text: 'Lead confirmed by your server' },
            { at: time(13), kind: 'sale', text: 'Sale of 49.00 USD recorded' },
            { at: time(13), kind: 'commission', text: 'Commission created: 9.80 USD' },
            { at: time(13), kind: 'commission', text: 'Commission approved: its hold is over' },
            { at: time(15), kind: 'refund', text: 'Refund of 24.50 USD' },
            { at: time(15), kind: 'commission', text: 'Commission reduced: 4.90 USD (refund)' },
          ],
        },
        1,
        day(16),
      ),
    );
  });

  it('mentions the attribution window only for a customer’s first sale', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'again', { transaction_id: 'again 1' });
    await sold(own, { transaction_id: 'again 2', customer_key: 'again' }, { at: day(100) });
    expect((await explained(own, 'again 2')).body.data.window).toEqual(unchecked);
  });

  it('compares the attribution window with the payment time if the customer has only a provisional lead', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    await browserLead({ click_id: clickId, email: 'p@example.com' }, { at: day(1) });
    const at = day(2);
    await sold(own, { transaction_id: 'provisional', click_id: clickId, occurred_at: time(1.5) }, { at });
    const { data } = (await explained(own, 'provisional')).body;
    expect(data).toMatchObject({
      attribution: { resolved_by: 'click_id', identifier: clickId },
      customer: { lead_state: 'provisional', signup_at: null, email_masked: null, customer_key: null },
      lead: { state: 'provisional', mode: 'browser', at: time(1) },
      window: { compared_with: 'payment', compared_at: time(1.5), age_days: 1 },
    });
    expect(data.timeline.map(({ text }: { text: string }) => text)).toEqual([
      `First click through link ${own.shortLink} (Ana)`,
      'Provisional lead recorded',
      `Sale of 49.00 USD recorded, paid at ${time(1.5)}`,
      'Commission created: 9.80 USD',
    ]);
  });

  it('says that no commission was due', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'renewal', { transaction_id: 'before the renewal' });
    await sold(own, { transaction_id: 'renewal', customer_key: 'renewal', is_recurring: true, currency: 'VND' });
    const { data } = (await explained(own, 'renewal')).body;
    expect(data).toMatchObject({ commission: null, history: [], refunds: [] });
    expect(data.attribution.text).toMatch(/ No commission is due for this payment\.$/);
    expect(data.timeline.at(-1)).toEqual({ at: time(0), kind: 'sale', text: 'Sale of 4900 VND recorded' });
  });

  it('is available for a test sale, for which no customer was looked up', async () => {
    const own = await ownedBrand(world);
    const body = { transaction_id: 'test', amount_cents: 4900, additional_data: { test_mode: true } };
    const reply = await send(sale, { key: own.key, body });
    expect((await explained(own, 'test')).body.data).toEqual({
      sale: { ...soldFields({ sale_id: reply.body.data.eventId }, 'test', time(0)), is_test: true, terms: null },
      attribution: {
        resolved_by: null,
        identifier: null,
        partner: null,
        overruled: null,
        text: 'This is a test sale: no customer was looked up, and no commission is created.',
      },
      customer: null,
      clicks: [],
      lead: null,
      window: null,
      commission: null,
      tiers: null,
      refunds: [],
      history: [],
      timeline: [{ at: time(0), kind: 'sale', text: 'Test sale of 49.00 USD recorded' }],
    });
  });

  it('is available for a sale whose customer had no partner', async () => {
    const own = await ownedBrand(world);
    const clickId = await signedUp(own, 'unlinked');
    await unlinkPartner(world, own, clickId, 'unlinked');
    await send(sale, { key: own.key, body: { transaction_id: 'unlinked', amount_cents: 1, customer_key: 'unlinked' } });
    const { data } = (await explained(own, 'unlinked')).body;
    expect(data).toMatchObject({ commission: null, customer: { click_id: clickId }, attribution: { partner: null } });
    expect(data.attribution.text).toBe(
      'Customer unlinked was found by customer_key. The customer has no partner, so no commission was created.',
    );
  });

  it('still names the partner who got the sale if the customer is unlinked later', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'kept', { transaction_id: 'kept' });
    const [name] = await world.items(`KEY#kept`);
    await unlinkPartner(world, own, String(name!.clickId), 'kept');
    const { data } = (await explained(own, 'kept')).body;
    expect(data.attribution.partner).toEqual({ id: own.partner.id, name: 'Ana', short_link: own.shortLink });
    expect(data.clicks).toMatchObject([{ partner_id: own.partner.id, partner_name: 'Ana' }]);
  });

  it('shows the oldest 50 clicks of the customer', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    for (let n = 1; n <= 55; n++) {
      const body = { affiliate_url: own.affiliateUrl, existing_click_id: clickId };
      await send(click, { body, at: new Date(NOW.getTime() + n) });
    }
    await sold(own, { transaction_id: 'many clicks', click_id: clickId }, { at: day(1) });
    const { clicks } = (await explained(own, 'many clicks')).body.data;
    expect(clicks.map(({ at }: { at: string }) => Date.parse(at) - NOW.getTime())).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
  });

  it('shows what happened to the commission: approval, payout, reversal and the effect on the next payout', async () => {
    const own = await ownedBrand(world);
    await soldTo(own, 'story', { transaction_id: 'story' });
    await own.owner.post(`${own.path}/payouts`, {}, { at: HOLD_OVER });
    await refunded(own, { transaction_id: 'story', reason: 'chargeback' }, day(20));
    const { timeline } = (await explained(own, 'story', day(21))).body.data;
    expect(timeline.slice(-5).map(({ text }: { text: string }) => text)).toEqual([
      'Commission created: 9.80 USD',
      'Commission approved: its hold is over',
      expect.stringMatching(/^Commission paid out: 9\.80 USD \(payout \d+\)$/),
      'Chargeback of 49.00 USD',
      'Commission reversed: 9.80 USD (chargeback)',
    ]);
  });
});

describe('the explanation of a sale answers 404 “Sale not found for transaction_id”', () => {
  it.each(['nobody', 'x'.repeat(300), ' ', '%00', 'a\u0000b'])('for the transaction id %j', async (transactionId) => {
    const own = await ownedBrand(world);
    expect(await explained(own, transactionId)).toEqual(refusedReply(404, 'Sale not found for transaction_id'));
  });

  it('for a sale of another program', async () => {
    const [own, other] = [await ownedBrand(world), await ownedBrand(world)];
    await soldTo(own, 'mine', { transaction_id: 'mine' });
    expect((await explained(other, 'mine')).status).toBe(404);
  });
});
