import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '#test/support/cases/cases.ts';
import { ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { anotherPartner, soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const DAY_MS = 86_400_000;
const which = fc.nat(9);

const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sale'),
      partner: fc.nat(1),
      euros: fc.boolean(),
      cents: fc.integer({ min: 1, max: 9_999 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund'), sale: which, percent: fc.constantFrom(10, 50, 100, 100) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve'), sale: which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject'), sale: which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.integer({ min: 1, max: 12 }) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

interface Amounts {
  readonly due_now_cents: number;
  readonly by_date: readonly { readonly on: string; readonly amount_cents: number }[];
}

/** The totals without zeros. */
const positive = (totals: Record<string, number>) =>
  Object.fromEntries(Object.entries(totals).filter(([, cents]) => cents !== 0));

/** The amount due now plus all amounts due by a day. */
const dueBy = (amounts: Record<string, Amounts>, day: string) =>
  positive(
    Object.fromEntries(
      Object.entries(amounts).map(([currency, { due_now_cents: due, by_date: byDate }]) => [
        currency,
        byDate.filter(({ on }) => on <= day).reduce((sum, { amount_cents: cents }) => sum + cents, due),
      ]),
    ),
  );

/** A program with two partners and a sequence of steps; every call is real. */
async function program() {
  const own = await ownedBrand(world);
  const partners = [own, { ...own, ...(await anotherPartner(world, own, 'Ben')) }];
  const sales: { readonly id: string; readonly commission: number; readonly cents: number }[] = [];
  let now = NOW.getTime();
  const at = () => ({ at: new Date(now) });
  const { owner, path } = own;

  async function step(action: Step): Promise<void> {
    now += 1000;
    if (action.do === 'wait') return void (now += action.days * DAY_MS);
    if (action.do === 'pay') return void (await owner.post(`${path}/payouts`, {}, at()));
    if (action.do === 'sale') {
      const id = `history ${own.program.id} ${sales.length}`;
      const body = { transaction_id: id, amount_cents: action.cents, currency: action.euros ? 'EUR' : 'USD' };
      const reply = await soldTo(partners[action.partner]!, id, body, at());
      return void sales.push({ id, commission: reply.commission_id, cents: action.cents });
    }
    const sale = sales[action.sale % Math.max(1, sales.length)];
    if (!sale) return;
    if (action.do === 'refund') {
      const cents = Math.ceil((sale.cents * action.percent) / 100);
      await refunded(own, { transaction_id: sale.id, refund_amount_cents: cents }, new Date(now));
    } else {
      await owner.post(`${path}/commissions/${sale.commission}/${action.do}`, { reason: 'Drawn' }, at());
    }
  }

  const owed = async (): Promise<Record<string, Amounts>> => (await owner.get(`${path}/owed`, at())).body.data;
  const previewed = async () => (await owner.post(`${path}/payouts/preview`, {}, at())).body.data.totals;
  const paid = async () => (await owner.post(`${path}/payouts`, {}, at())).body.data?.totals ?? {};
  const endOfDay = (day: string) => void (now = Math.max(now, Date.parse(`${day}T23:59:59.999Z`)));
  return { step, owed, previewed, paid, endOfDay };
}

const histories = fc.array(anyStep, { minLength: 6, maxLength: 20, size: 'max' });

/** Plays a history, then checks the state. */
const afterEach = (check: (its: Awaited<ReturnType<typeof program>>) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const its = await program();
      for (const action of steps) await its.step(action);
      await check(its);
    }),
    { numRuns: cases(20) },
  );

it('after any generated history of events, a payout pays exactly the amount shown as due now, and then nothing is due', async () => {
  await afterEach(async ({ owed, previewed, paid }) => {
    const due = dueBy(await owed(), '');
    expect(await previewed()).toEqual(due);
    expect(await paid()).toEqual(due);
    expect(dueBy(await owed(), '')).toEqual({});
  });
}, 60_000);

it('after any generated history of events, a payout on a later day pays exactly the amount shown as due by that day', async () => {
  await afterEach(async ({ owed, previewed, paid, endOfDay }) => {
    const amounts = await owed();
    const days = Object.values(amounts).flatMap(({ by_date: byDate }) => byDate.map(({ on }) => on));
    for (const day of days.toSorted()) {
      endOfDay(day);
      expect(await previewed()).toEqual(dueBy(amounts, day));
    }
    expect(await paid()).toEqual(dueBy(amounts, '9999'));
  });
}, 60_000);
