import { describe, expect, it } from 'vitest';
import { handler as click } from '#functions/track/click.ts';
import { handler as refund } from '#functions/track/refund.ts';
import { commissionNameKey } from '#lib/service/earnings/commissions/commission-places-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { eraseCustomer } from '#lib/service/operations/erasure/erase-customer.ts';
import { commission, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { failedFirstSale } from '#test/support/payments/failed-sales.ts';
import { failing, replyLost, sentAgain } from '#test/support/table/faults.ts';
import {
  anotherPartner,
  browserLead,
  clicked,
  settledLead,
  signedUp,
  sold,
} from '#test/support/payments/lives/journeys.ts';
import { operated } from '#test/support/callers/operator.ts';
import { paid } from '#test/support/payments/payers.ts';
import { NOW, send } from '#test/support/callers/request.ts';
import { listingOf } from '#test/support/table/sale-items.ts';
import { sentCalls, unitsOf, waves } from '#test/support/servers/sent-calls.ts';
import { counted } from '#test/support/table/stream.ts';
import { deliver, directEndpoint, openProcessor } from '#test/support/stripe/stripe.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

openProcessor();

const world = openedWorld();

const minute = (n: number) => new Date(NOW.getTime() + n * 60_000);
const time = (n: number) => minute(n).toISOString();
const at = (n: number) => ({ at: minute(n) });

const storyOf = async ({ owner, path }: OwnedBrand, clickId: string, when = NOW) => {
  const { status, body } = await owner.get(`${path}/customers/${clickId}`, { at: when });
  expect(status).toBe(200);
  return body.data;
};
const told = (story: { timeline: { text: string }[] }) => story.timeline.map(({ text }) => text);
const idsOf = (story: { sales: { transaction_id: string }[] }) => story.sales.map((one) => one.transaction_id);
const listings = async (clickId: string) =>
  (await world.items(`CUSTOMER#${clickId}`)).filter(({ sk }) => String(sk).startsWith('SALE#'));

/** The transaction id of one of many sales. */
const nth = (n: number) => `often-${String(n).padStart(3, '0')}`;

/** The reply for a sale of 49.00 dollars in that minute. */
const saleAt = (n: number, transactionId: string, changes: object = {}) => ({
  id: expect.any(Number),
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
  occurred_at: time(n),
  created_at: time(n),
  ...changes,
});

describe('GET /programs/{id}/customers/{click_id}, the history of a customer,', () => {
  it('shows how the customer came to the program and all sales since', async () => {
    const own = await ownedBrand(world);
    const ben = await anotherPartner(world, own, 'Ben');
    const clickId = await clicked(own);
    await send(click, { body: { affiliate_url: ben.affiliateUrl, existing_click_id: clickId }, at: minute(1) });
    await browserLead({ click_id: clickId, program_id: own.program.id }, at(2));
    await settledLead(own, { click_id: clickId, customer_key: 'told', email: 'told@customers.test' }, at(3));
    const first = await sold(own, { transaction_id: 'told1', customer_key: 'told' }, at(4));
    const second = await sold(
      own,
      { transaction_id: 'told2', customer_key: 'told', amount_cents: 1000, currency: 'EUR' },
      at(5),
    );
    const body = { transaction_id: 'told1', refund_amount_cents: 2450, refund_reason: 'Too slow' };
    await send(refund, { key: own.key, body, at: minute(6) });
    await own.owner.post(`${own.path}/commissions/${second.commission_id}/reject`, { reason: 'Own purchase' }, at(7));
    await own.owner.post(`${own.path}/customers/${clickId}/unlink`, { reason: 'Another person' }, at(8));
    await counted(world);
    const touch = { partner_id: own.partner.id, partner_name: 'Ana', short_link: own.shortLink };
    const ofFirst = { click_id: clickId, transaction_id: 'told1', sale_id: first.sale_id };
    expect(await own.owner.get(`${own.path}/customers/${clickId}`, at(9))).toEqual(
      dataReply(
        {
          customer: {
            click_id: clickId,
            customer_key: null,
            status: 'conversion',
            lead_state: 'settled',
            email_masked: 't***@customers.test',
            source: 'click',
            code: null,
            first_click_at: time(0),
            signup_at: time(3),
            first_purchase_at: time(4),
            ...touch,
            amounts: {
              USD: { revenue_cents: 4900, refunded_cents: 2450, commission_cents: 490 },
              EUR: { revenue_cents: 1000, refunded_cents: 0, commission_cents: 200 },
            },
          },
          clicks: [
            { id: expect.any(Number), at: time(0), ...touch, first: true },
            {
              id: expect.any(Number),
              at: time(1),
              partner_id: ben.partner.id,
              partner_name: 'Ben',
              short_link: ben.shortLink,
              first: false,
            },
          ],
          lead: { id: expect.any(Number), state: 'settled', mode: 'server', at: time(2) },
          sales: [
            saleAt(5, 'told2', { id: second.sale_id, amount_cents: 1000, base_cents: 1000, currency: 'EUR' }),
            saleAt(4, 'told1', {
              id: first.sale_id,
              payment_status: 'partially_refunded',
              refunded_amount_cents: 2450,
            }),
          ],
          refunds: [
            {
              id: expect.any(Number),
              at: time(6),
              sale_id: first.sale_id,
              transaction_id: 'told1',
              reason: 'refund',
              refund_reason: 'Too slow',
              amount_cents: 2450,
              refunded_amount_cents: 2450,
              deduction_cents: 490,
            },
          ],
          commissions: [
            commission(own, {
              id: second.commission_id,
              click_id: clickId,
              transaction_id: 'told2',
              sale_id: second.sale_id,
              status: 'rejected',
              base_amount_cents: 1000,
              amount_cents: 200,
              payable_cents: 200,
              currency: 'EUR',
              rejection_reason: 'Own purchase',
              platform_fee: { amount_cents: 35, reduced_cents: 0, bps: 350, currency: 'EUR' },
              occurred_at: time(5),
              hold_until: new Date(HOLD_OVER.getTime() + 5 * 60_000).toISOString(),
              created_at: time(5),
              version: 2,
            }),
            commission(own, {
              ...ofFirst,
              id: first.commission_id,
              deducted_cents: 490,
              payable_cents: 490,
              kind: 'sale',
              lead_id: null,
              reason: null,
              refund_state: 'partial',
              platform_fee: { amount_cents: 172, reduced_cents: 86, bps: 350, currency: 'USD' },
              occurred_at: time(4),
              hold_until: new Date(HOLD_OVER.getTime() + 4 * 60_000).toISOString(),
              created_at: time(4),
              version: 2,
            }),
          ],
          timeline: [
            { at: time(0), kind: 'click', text: `First click through link ${own.shortLink} (Ana)` },
            { at: time(1), kind: 'click', text: `Later click through link ${ben.shortLink} (Ben)` },
            { at: time(2), kind: 'lead', text: 'Provisional lead recorded' },
            { at: time(3), kind: 'lead', text: 'Lead confirmed by your server' },
            { at: time(4), kind: 'sale', text: 'Sale of 49.00 USD recorded (told1)' },
            { at: time(4), kind: 'commission', text: 'Commission created: 9.80 USD (told1)' },
            { at: time(5), kind: 'sale', text: 'Sale of 10.00 EUR recorded (told2)' },
            { at: time(5), kind: 'commission', text: 'Commission created: 2.00 EUR (told2)' },
            { at: time(6), kind: 'refund', text: 'Refund of 24.50 USD (told1)' },
            { at: time(6), kind: 'commission', text: 'Commission reduced: 4.90 USD (refund) (told1)' },
            { at: time(7), kind: 'commission', text: 'Commission rejected: 2.00 EUR (Own purchase) (told2)' },
            { at: time(8), kind: 'customer', text: 'Customer unlinked by an owner: Another person' },
          ],
        },
        1,
        minute(9),
      ),
    );
  });

  it('shows the status that commissions have now', async () => {
    const own = await ownedBrand(world);
    const clickId = await signedUp(own, 'held');
    await sold(own, { transaction_id: 'held1', customer_key: 'held' });
    const { commissions, timeline } = await storyOf(own, clickId, HOLD_OVER);
    expect(commissions).toMatchObject([{ status: 'approved', approved_at: HOLD_OVER.toISOString() }]);
    expect(timeline.at(-1).text).toBe('Commission approved: its hold is over (held1)');
  });

  it('shows sales that Stripe reported, but no tests and no sales of other customers', async () => {
    const own = await ownedBrand(world);
    await directEndpoint(world, own);
    const [clickId, other] = [await clicked(own), await clicked(own)];
    await deliver(own, paid('storied', { customer: 'cus_storied', metadata: { service_click_id: clickId } }));
    await sold(own, { transaction_id: 'other1', click_id: other });
    const test = { transaction_id: 'tested', click_id: clickId, additional_data: { test_mode: true } };
    await sold(own, test);
    expect(idsOf(await storyOf(own, clickId))).toEqual(['cs_storied']);
    expect(idsOf(await storyOf(own, other))).toEqual(['other1']);
  });

  it('lists refunds of the same time by descending id', async () => {
    const own = await ownedBrand(world);
    const clickId = await signedUp(own, 'at once');
    for (const id of ['at-once-1', 'at-once-2']) {
      await sold(own, { transaction_id: id, customer_key: 'at once' });
      await send(refund, { key: own.key, body: { transaction_id: id }, at: minute(1) });
    }
    const { refunds } = await storyOf(own, clickId);
    const ids = refunds.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    expect(refunds.map((one: { transaction_id: string }) => one.transaction_id)).toEqual(['at-once-2', 'at-once-1']);
  });

  it('shows a dispute that the brand won, after which nothing counts as refunded', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    await sold(own, { transaction_id: 'won1', click_id: clickId });
    const [, sale] = await world.items(keys.sale('won1').pk);
    const step = { programId: own.program.id, saleId: sale!.id, transactionId: 'won1', clickId, currency: 'USD' };
    const reversals = { apiCents: 0, charges: {}, disputes: { dp: { amountCents: 4900, state: 'won' } } };
    await world.replace({ ...sale, reversals: reversals });
    for (const [id, amountCents] of [[8, 4900] as const, [9, -4900] as const]) {
      const reason = amountCents > 0 ? 'chargeback' : 'dispute_won';
      const refundedCents = Math.max(0, amountCents);
      const steps = { ...step, id, createdAt: time(id), reason, amountCents, refundedCents, deductionCents: 0 };
      await world.replace({ ...keys.refund('won1', time(id), id), ...steps });
    }
    const { sales, refunds } = await storyOf(own, clickId);
    expect(sales).toMatchObject([{ payment_status: 'paid' }]);
    expect(refunds).toMatchObject([{ reason: 'dispute_won' }, { reason: 'chargeback' }]);
  });

  it(
    'shows the newest 50 of 120 sales and the newest 20 refunds of one sale, and reads a bounded number of items',
    { tags: 'deep' },
    async () => {
      const own = await ownedBrand(world);
      const clickId = await signedUp(own, 'often');
      for (let n = 1; n <= 120; n++) await sold(own, { transaction_id: nth(n), customer_key: 'often' }, at(n));
      for (let n = 1; n <= 25; n++) {
        const body = { transaction_id: nth(120), refund_amount_cents: 100 * n };
        await send(refund, { key: own.key, body, at: minute(200 + n) });
      }
      await counted(world);
      let story = await storyOf(own, clickId, minute(300));
      const calls = await sentCalls(async () => {
        story = await storyOf(own, clickId, minute(300));
      });
      expect(idsOf(story)).toEqual(Array.from({ length: 50 }, (_, n) => nth(120 - n)));
      expect(story.commissions.map((one: { transaction_id: string }) => one.transaction_id)).toEqual(idsOf(story));
      expect(story.refunds.map((one: { at: string }) => one.at)).toEqual(
        Array.from({ length: 20 }, (_, n) => time(225 - n)),
      );
      expect(story.customer.amounts).toEqual({
        USD: { revenue_cents: 120 * 4900, refunded_cents: 2500, commission_cents: 120 * 980 - 500 },
      });
      expect(told(story).slice(0, 4)).toEqual([
        `First click through link ${own.shortLink} (Ana)`,
        'Lead confirmed by your server',
        'First sale paid',
        `Sale of 49.00 USD recorded (${nth(71)})`,
      ]);
      // Read units: one per sale and commission; the rest is for the caller, the customer, its lists and the refunds.
      expect(unitsOf(calls).read).toBeLessThan(50 + 50 + 25);
      expect(calls.length).toBeLessThan(15);
      expect(waves(calls).length).toBeLessThanOrEqual(7);
    },
  );
});

describe('a sale in the history of its customer', () => {
  it('is listed once if its reply is lost, its write is sent twice, or the call is sent again', async () => {
    const own = await ownedBrand(world);
    for (const [name, fault] of Object.entries({ replyLost, sentAgain })) {
      const clickId = await clicked(own);
      const body = { transaction_id: name, click_id: clickId };
      await failing('write', fault, () => sold(own, body)).catch(() => undefined);
      await expect(sold(own, body, at(1))).rejects.toThrow('409');
      expect(await listings(clickId)).toEqual([listingOf(clickId, NOW, name)]);
      expect(idsOf(await storyOf(own, clickId))).toEqual([name]);
    }
  });

  it('is listed once if several sales of the customer are recorded in parallel', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    const names = Array.from({ length: 8 }, (_, n) => `racing-${n}`);
    // Each sale is sent twice: one of the two requests is refused.
    const racing = [...names, ...names].map((transaction_id) => sold(own, { transaction_id, click_id: clickId }));
    const outcomes = await Promise.allSettled(racing);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    expect(await listings(clickId)).toEqual(names.map((name) => listingOf(clickId, NOW, name)));
    await counted(world);
    const { customer, sales } = await storyOf(own, clickId);
    expect(sales).toHaveLength(8);
    const amounts = { USD: { revenue_cents: 8 * 4900, refunded_cents: 0, commission_cents: 8 * 980 } };
    expect(customer).toMatchObject({ amounts });
  });

  it('is listed once, before and after its commission is stored', async () => {
    const own = await ownedBrand(world);
    const { clickId, id } = await failedFirstSale(own);
    expect(await listings(clickId)).toEqual([listingOf(clickId, NOW, id)]);
    expect(await storyOf(own, clickId)).toMatchObject({ sales: [{ transaction_id: id }], commissions: [] });
    await operated(world, ['sale', 'repair', '--transaction', id], NOW);
    expect(await listings(clickId)).toEqual([listingOf(clickId, NOW, id)]);
    expect(await storyOf(own, clickId)).toMatchObject({ commissions: [{ transaction_id: id }] });
  });

  it('is listed regardless of the characters in its id', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    const ids = ['#a#b', '€'.repeat(250)];
    for (const [n, id] of ids.entries()) await sold(own, { transaction_id: id, click_id: clickId }, at(n));
    expect(idsOf(await storyOf(own, clickId))).toEqual(ids.toReversed());
  });

  it('is not listed if a restore lost the sale, and is listed once when it is sent again', async () => {
    const own = await ownedBrand(world);
    const clickId = await clicked(own);
    const { commission_id } = await sold(own, { transaction_id: 'lost1', click_id: clickId });
    const name = commissionNameKey({ id: commission_id, transactionId: 'lost1' });
    const lost = [keys.sale('lost1'), keys.commission('lost1'), name];
    await world.deps().table.transact(lost.map((key) => ({ name: 'lost', key, remove: true })));
    expect(await storyOf(own, clickId)).toMatchObject({ sales: [], commissions: [] });
    await sold(own, { transaction_id: 'lost1', click_id: clickId }, at(1));
    expect(idsOf(await storyOf(own, clickId))).toEqual(['lost1']);
    const another = await clicked(own);
    await world.deps().table.put(keys.saleOfCustomer(another, time(1), 'lost1'), {});
    expect(idsOf(await storyOf(own, another))).toEqual([]);
  });
});

it('the history of an erased customer contains no personal data', async () => {
  const own = await ownedBrand(world);
  const clickId = await clicked(own);
  await settledLead(own, { click_id: clickId, customer_key: 'jane-key', email: 'jane@people.test' });
  await sold(own, { transaction_id: 'gone1', customer_key: 'jane-key', event_name: 'jane-bought' });
  const body = { transaction_id: 'gone1', refund_amount_cents: 900, refund_reason: 'jane asked' };
  await send(refund, { key: own.key, body });
  await counted(world);
  expect(JSON.stringify(await storyOf(own, clickId))).toContain('jane');
  await eraseCustomer(world.deps(), { programId: own.program.id, clickId }, () => Promise.resolve());
  const story = await storyOf(own, clickId);
  expect(JSON.stringify(story)).not.toContain('jane');
  expect(story).toMatchObject({
    customer: { amounts: { USD: { revenue_cents: 4900, refunded_cents: 900, commission_cents: 800 } } },
    sales: [{ transaction_id: 'gone1' }],
    refunds: [{ amount_cents: 900, refund_reason: null }],
    commissions: [{ transaction_id: 'gone1' }],
  });
});
