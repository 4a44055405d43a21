import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { operated } from '#test/support/callers/operator.ts';
import { NOW } from '#test/support/callers/request.ts';
import { cases } from '#test/support/cases/cases.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { expectPayoutsToAgree, paymentsIn } from '#test/support/payments/payouts-agree.ts';
import { ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { openWorld } from '#test/support/programs/world.ts';
import { cut, isOfPayout, transactionsOf, type Written } from '#test/support/table/cut-transactions.ts';

const DAY_MS = 86_400_000;
const RESTORED = new Date(NOW.getTime() + 200 * DAY_MS);
const LATER = new Date(RESTORED.getTime() + 60_000);
const FROZEN = 'Payouts of this workspace are frozen';
const NOTHING = 'No approved commissions to pay out';

const which = fc.nat(9);
const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sale'),
      partner: fc.nat(1),
      euros: fc.boolean(),
      cents: fc.integer({ min: 100, max: 9_999 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund'), sale: which, percent: fc.constantFrom(10, 50, 100) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve'), sale: which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay'), partner: fc.option(fc.nat(1), { nil: undefined }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('line'),
      line: which,
      status: fc.constantFrom('sent', 'paid', 'failed', 'void'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.integer({ min: 1, max: 12 }) }) },
);

/** Steps that pay something, and which one or two items of which payout are put back. */
const anyHistory = fc.record({
  steps: fc.array(anyStep, { minLength: 6, maxLength: 16, size: 'max' }),
  payout: fc.nat(),
  lost: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 2 }),
});

/** Puts the steps into effect, each by a real call. @returns what the payouts wrote */
async function played(steps: readonly (typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const world = await openWorld();
  const own = await ownedBrand(world);
  const partners = [own, { ...own, ...(await anotherPartner(world, own, 'Ben')) }];
  const { account } = await ownerOfBrand(world, own);
  const posted = async (path: string, body: object, at: Date) =>
    dashboard((await signedInAs(world, account.email, at)).token).post(`${own.path}/${path}`, body, { at });
  const pay = (at: Date, partner?: number) =>
    posted('payouts', { partner_id: partner === undefined ? undefined : partners[partner]!.partner.id }, at);
  const sales: { readonly id: string; readonly commission: number; readonly cents: number }[] = [];
  const changeLine = async ({ line, status }: { readonly line: number; readonly status: string }, at: Date) => {
    const listed = await dashboard((await signedInAs(world, account.email, at)).token).get(`${own.path}/payouts`, {
      at,
    });
    const ids = (listed.body.data as { id: number; items: { partner_id: number; currency: string }[] }[]).flatMap(
      ({ id, items }) => items.map((item) => ({ id, line: `${item.partner_id}-${item.currency}` })),
    );
    const one = ids[line % Math.max(1, ids.length)];
    if (one) await posted(`payouts/${one.id}/lines`, { ids: [one.line], status, reason: 'Returned' }, at);
  };
  let now = NOW.getTime();
  const transactions = await transactionsOf(world, isOfPayout, async () => {
    for (const step of steps) {
      now += step.do === 'wait' ? step.days * DAY_MS : 1_000;
      const at = new Date(now);
      const sale =
        step.do === 'refund' || step.do === 'approve' ? sales[step.sale % Math.max(1, sales.length)] : undefined;
      if (step.do === 'pay') await pay(at, step.partner);
      if (step.do === 'sale') {
        const body = {
          transaction_id: `sale ${sales.length}`,
          amount_cents: step.cents,
          currency: step.euros ? 'EUR' : 'USD',
        };
        const { commission_id: commission } = await soldTo(partners[step.partner]!, body.transaction_id, body, { at });
        sales.push({ id: body.transaction_id, commission, cents: step.cents });
      }
      if (step.do === 'refund' && sale) {
        const refundCents = Math.ceil((sale.cents * step.percent) / 100);
        await refunded(own, { transaction_id: sale.id, refund_amount_cents: refundCents }, at);
      }
      if (step.do === 'line') await changeLine(step, at);
      if (step.do === 'approve' && sale) await posted(`commissions/${sale.commission}/approve`, {}, at);
    }
    await pay(new Date(now + 30 * DAY_MS));
  });
  // A refund, an approval or a sale changes a commission, too, and no payout.
  return {
    world,
    pay,
    payouts: transactions.filter((written) => written.some(({ key: { pk } }) => pk.startsWith('PAYOUT#'))),
  };
}

it('if a restore loses random items of payouts, in any history of payouts, each payment is recorded again or all payouts are frozen', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ steps, payout, lost }) => {
      const { world, pay, payouts } = await played(steps);
      if (payouts.length === 0) return;
      const payments = await paymentsIn(world);
      const written = payouts[payout % payouts.length]!;
      const items = [...new Set(lost.map((n) => written[n % written.length]!))] satisfies Written[];
      await cut(world, items);
      const check = () =>
        operated(world, ['restore', 'check', '--to', RESTORED.toISOString(), '--former-table-lost'], RESTORED);
      const { unrepaired } = await check();
      expect(await check()).toMatchObject({ repaired: [], unrepaired });
      const next = await pay(LATER);
      const outcomes = unrepaired.length > 0 ? [FROZEN] : [undefined, NOTHING];
      expect(outcomes).toContain(next.body.error?.message);
      if (unrepaired.length > 0) return;
      await expectPayoutsToAgree(world);
      // What was paid is recorded where it was; anything else was paid by the new payout.
      expect(await paymentsIn(world)).toMatchObject(payments);
    }),
    { numRuns: cases(60) },
  );
}, 180_000);
