import { beforeEach, describe, expect, it } from 'vitest';
import { HOLD_OVER } from '#test/support/programs/commissions.ts';
import { type Dashboard, dashboard } from '#test/support/callers/dashboard.ts';
import { failingTransactionOf, overtakenBy, refused, replyLost, sentAgain } from '#test/support/table/faults.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { customerOf, invoiced, renewed, saleOf, type Visitor, visitor } from '#test/support/payments/payers.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { saleItems } from '#test/support/table/sale-items.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import {
  charge,
  deliver,
  deliverAt,
  openProcessor,
  sendDirect,
  stripeEvent,
  subscriptionInvoice,
} from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a renewal whose event comes before the first payment's. The first payment then arrives in parallel,
// repeatedly, after the commission was paid, or after a failure.

openProcessor();

const RENEWED = new Date(NOW.getTime() + 86_400_000);

const world = openedWorld();
let person: Visitor;
let owner: Dashboard;
let program: string;
beforeEach(async () => {
  person = await visitor(world);
  owner = dashboard((await ownerOfBrand(world, person.brand)).token);
  program = `/programs/${person.brand.program.id}`;
});

const named = (paidAt: Date) => ({ paidAt, metadata: person.metadata });
const first = () => invoiced(person.id, named(NOW));
const renewal = () => renewed(person.id, named(RENEWED));
/** The invoice of a payment of the same subscription, an hour after the first payment. */
const between = () =>
  stripeEvent(
    'invoice.paid',
    subscriptionInvoice(`${person.id}m`, person.id, named(new Date(NOW.getTime() + 3_600_000))),
  );
const refund = (cents: number) => stripeEvent('charge.refunded', charge(`${person.id}r`, { amount_refunded: cents }));
const tell = (...events: ReturnType<typeof first>[]) => deliver(person.brand, ...events);
const left = async () => ({
  first: await saleItems(world, `in_${person.id}`),
  renewal: await saleItems(world, `in_${person.id}r`),
});

/** The program's all-time counts. */
async function countsOfProgram() {
  await counted(world);
  const counts = (await counterItems(world))[`PROGRAM#${person.brand.program.id}`]!;
  return Object.fromEntries(
    ['sales', 'revenueUSD', 'refundedUSD', 'commissionUSD', 'platformFeeUSD'].map((what) => [what, counts[what]]),
  );
}

const ordered = {
  first: { sale: { isRecurring: false, commissionState: 'created' }, commission: { amountCents: 980 } },
  renewal: {
    sale: { isRecurring: true, renewalBy: 'billing_reason' },
    commission: { amountCents: 0, deductedCents: 0, platformFee: { amountCents: 0, reducedCents: 0 } },
  },
};

async function expectOrdered(): Promise<void> {
  expect(await left()).toMatchObject(ordered);
  expect(await customerOf(world, person.clickId)).toMatchObject({ firstPurchaseAt: NOW.toISOString() });
  await expectNothingHalfWritten(world);
}

describe('a customer’s first payment that Stripe reports after a later payment', () => {
  it('turns the later sale into a renewal without commission, which the history shows to owner and partner', async () => {
    await tell(renewal(), first());
    await expectOrdered();
    const { data } = (await owner.get(`${program}/sales?transaction_id=in_${person.id}r`)).body;
    expect(data).toMatchObject({
      sale: { is_recurring: true, renewal_by: 'billing_reason' },
      commission: { amount_cents: 0, payable_cents: 0 },
      history: [
        { action: 'created', amount_cents: 980 },
        { action: 'recalculated', amount_cents: 0, reason: 'an earlier payment became known' },
      ],
    });
    expect(data.timeline.at(-1).text).toBe('Commission recalculated: 0.00 USD (an earlier payment became known)');
  });

  it('changes nothing more when Stripe delivers both events again', async () => {
    const event = first();
    await tell(renewal(), event);
    const before = await left();
    await tell(event, invoiced(person.id, named(NOW), 'invoice.payment_succeeded'), renewal());
    expect(await left()).toEqual(before);
  });

  it('leads to the same counters as the payments in the right order, even if the later one was already refunded', async () => {
    await tell(renewal(), refund(2450), first());
    const early = await countsOfProgram();
    person = await visitor(world);
    await tell(first(), renewal(), refund(2450));
    expect(early).toEqual(await countsOfProgram());
    expect(early).toMatchObject({
      sales: 2,
      revenueUSD: 9800,
      refundedUSD: 2450,
      commissionUSD: 980,
      platformFeeUSD: 172,
    });
  });

  it('does not move a customer who did not sign up within the list of customers', async () => {
    await tell(renewal());
    const { data: before } = (await owner.get(`${program}/customers`)).body;
    await tell(first());
    const { data: after } = (await owner.get(`${program}/customers`)).body;
    expect(before).toHaveLength(1);
    expect(after).toEqual([{ ...before[0], first_purchase_at: NOW.toISOString() }]);
  });
});

describe('the commission of a sale, when it becomes 0 because the sale turns out to be a renewal,', () => {
  it('leads to a negative balance of the partner if it was already paid', async () => {
    await tell(renewal());
    expect((await owner.post(`${program}/payouts`, {}, { at: HOLD_OVER })).status).toBe(200);
    await deliverAt(HOLD_OVER, person.brand, first());
    expect((await left()).renewal.commission).toMatchObject({
      status: 'paid',
      amountCents: 0,
      paidOutCents: 980,
      needsReview: true,
    });
    const owed = (await owner.get(`${program}/owed`, { at: HOLD_OVER })).body.data;
    expect(owed.USD).toMatchObject({ balance_cents: -980 });
    await expectNothingHalfWritten(world);
  });

  it('stays 0 if the payment is refunded before or afterwards', async () => {
    await tell(renewal(), refund(2450), first());
    await expectOrdered();
    expect((await left()).renewal.refunds).toMatchObject([{ deductionCents: 0, feeReductionCents: 0 }]);
    await tell(refund(4900));
    await expectOrdered();
    expect((await left()).renewal.commission).toMatchObject({ status: 'reversed' });
  });

  it('stays 0 if the tax of the payment becomes known', async () => {
    person = await visitor(world, { commissionBase: 'excluding_tax' });
    await tell(renewal(), first());
    await tell(renewed(person.id, { ...named(RENEWED), total_taxes: [{ amount: 900, tax_behavior: 'inclusive' }] }));
    await expectOrdered();
    expect(await saleOf(world, `in_${person.id}r`)).toMatchObject({ taxCents: 900, baseCents: 4000 });
  });

  it(
    'becomes 0, as do the deductions of the sale’s 90 refunds, which do not fit into one transaction',
    { tags: 'deep' },
    async () => {
      await tell(renewal());
      for (let n = 1; n <= 90; n++) await tell(refund(n * 10));
      await tell(first());
      await expectOrdered();
      const { refunds } = (await left()).renewal;
      expect(refunds).toHaveLength(90);
      expect(
        refunds.every(({ deductionCents, feeReductionCents }) => deductionCents === 0 && feeReductionCents === 0),
      ).toBe(true);
    },
  );
});

describe('a customer’s first payment and a later one, reported in either order,', () => {
  it('lead to the same result if they are reported in parallel', async () => {
    for (let n = 0; n < 5; n++) {
      person = await visitor(world);
      await Promise.all([tell(renewal()), tell(first())]);
      const { renewal: late } = await left();
      expect(await left()).toMatchObject({ first: ordered.first, renewal: { sale: ordered.renewal.sale } });
      expect(late.commission?.amountCents ?? 0).toBe(0);
      await expectNothingHalfWritten(world);
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the renewal is refunded', () => tell(refund(2450))],
    [
      'the owner approves the renewal’s commission',
      async () => {
        const { commission } = (await left()).renewal;
        await owner.post(`${program}/commissions/${String(commission!.id)}/approve`);
      },
    ],
    ['another earlier payment is reported', () => tell(between())],
  ])('lead to the same result if, just before the first payment is written, %s', async (_, other) => {
    await tell(renewal());
    await failingTransactionOf(`SALE#in_${person.id}`, overtakenBy(other), () => tell(first()));
    await expect(expectOrdered()).resolves.toBeUndefined();
  });

  it.each([
    ['whose reply is lost', replyLost],
    ['that is sent twice', sentAgain],
    ['that fails', refused('ThrottlingException')],
  ])('lead to the same result when Stripe redelivers an event after a transaction %s', async (_, fault) => {
    await tell(renewal());
    const event = first();
    await failingTransactionOf(`SALE#in_${person.id}`, fault, () => sendDirect(person.brand.program.id, event));
    await tell(event);
    await expect(expectOrdered()).resolves.toBeUndefined();
  });
});
