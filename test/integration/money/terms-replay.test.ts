import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findCommission, findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { changePartner } from '#lib/service/programs/partners/change-partner.ts';
import { changeGroup, createGroup } from '#lib/service/programs/terms/change-agreements.ts';
import { changeProgram } from '#lib/service/programs/program/change-program.ts';
import { recordRefund } from '#lib/service/conversions/refunds/record-refund.ts';
import { recordSale } from '#lib/service/conversions/sales/record-sale.ts';
import { anotherPartner, signedUp } from '#test/support/payments/lives/journeys.ts';
import { monthsLater } from '#test/support/payments/lives/model.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted } from '#test/support/table/stream.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Recomputes every commission of a random history from the stored sales and terms versions alone. HISTORIES sets the
// number of histories.

const MINUTE = 60_000;
const DAY = 86_400_000;
const MONTH = 31 * DAY;

const world = openedWorld();

const anyTerms: fc.Arbitrary<Terms> = fc
  .record({
    commissionType: fc.constantFrom('percent', 'recurring_percent', 'recurring_fixed'),
    commissionRate: fc.constantFrom(5, 12.5, 33.3333),
    durationMonths: fc.constantFrom(undefined, 1),
    holdPeriodDays: fc.constantFrom(0, 15),
    tiers: fc.constantFrom([], [{ fromSales: 1, rate: 40 }], [{ fromSales: 2, rate: 50 }]),
  })
  .map((terms) => (terms.commissionType.endsWith('percent') ? terms : { ...terms, tiers: undefined }));
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sale'),
      customer: fc.nat(3),
      amountCents: fc.integer({ min: 1, max: 99_999 }),
      isRecurring: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund'), sale: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('month') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('apply'), termsApply: fc.constantFrom('current', 'first_sale') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('program', 'group'), terms: anyTerms }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('partner'), partner: fc.nat(1), terms: fc.option(anyTerms) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('member'), partner: fc.nat(1), groupId: fc.constantFrom(1, null) }),
  },
);
const anyHistory = fc.array(anyStep, { minLength: 8, maxLength: 16, size: 'max' });
type Step = (typeof anyStep extends fc.Arbitrary<infer T> ? T : never) & object;

/** A sale as made by the history. */
interface Made {
  readonly id: string;
  readonly customer: number;
  /** How the program paid renewals at that time. */
  readonly termsApply: string;
}

let histories = 0;
/** Plays a history of a program with a group, two partners with two customers each, and their events. */
async function lived(steps: readonly Step[]): Promise<{ programId: number; made: readonly Made[] }> {
  const brand = await world.brand({ commissionType: 'recurring_percent', commissionRate: 20 });
  const ben = await anotherPartner(world, brand, 'Ben');
  const { id: programId } = brand.program;
  const partnerIds = [brand.partner.id, ben.partner.id];
  const run = ++histories;
  const customers = [0, 1, 2, 3].map((number) => `replay-${run}-${number}`);
  for (const [at, key] of customers.entries()) await signedUp(at % 2 ? { ...brand, ...ben } : brand, key);
  await createGroup(world.deps(), programId, { name: 'Group', terms: { ...brand.program, commissionRate: 25 } });
  const made: Made[] = [];
  let now = NOW.getTime();
  let termsApply: 'current' | 'first_sale' = 'current';

  async function take(step: Step): Promise<void> {
    const deps = world.deps(new Date(now));
    switch (step.do) {
      case 'sale': {
        const { customer, amountCents, isRecurring } = step;
        const id = `replay-${run}-${made.length}`;
        const facts = { transactionId: id, amountCents, currency: 'USD', saleType: 'payment', isRecurring } as const;
        made.push({ id, customer, termsApply });
        return void (await recordSale(deps, { facts, customerKey: customers[customer] }, programId));
      }
      case 'refund': {
        const sale = made[step.sale % Math.max(1, made.length)];
        if (sale) await recordRefund(deps, { transactionId: sale.id, reason: 'refund' }, programId);
        return undefined;
      }
      case 'month': {
        now += MONTH;
        return counted(world);
      }
      case 'apply': {
        ({ termsApply } = step);
        return void (await changeProgram(deps, programId, () => ({ termsApply })));
      }
      case 'program': {
        return void (await changeProgram(deps, programId, () => step.terms));
      }
      case 'group': {
        return void (await changeGroup(deps, programId, 1, { terms: step.terms }));
      }
      case 'partner': {
        return void (await changePartner(deps, { id: programId }, partnerIds[step.partner]!, { terms: step.terms }));
      }
      case 'member': {
        return void (await changePartner(deps, { id: programId }, partnerIds[step.partner]!, {
          groupId: step.groupId,
        }));
      }
    }
  }
  for (const step of steps) {
    now += MINUTE;
    await take(step);
  }
  return { programId, made };
}

/** Every terms version of a program by its number. */
async function versionsOf(programId: number): Promise<Map<number, Terms>> {
  const items = await world.items(`PROGRAM#${programId}`);
  const program = items.find(({ sk }) => sk === 'PROGRAM') as unknown as Program;
  const agreements = await findAgreements(world.deps().table, programId);
  const former = items.filter(({ sk }) => String(sk).startsWith('TERMS#')) as unknown as (Terms & {
    version: number;
  })[];
  return new Map([
    ...former.map((terms) => [terms.version, terms] as const),
    [program.termsVersion ?? 1, program],
    ...[...agreements.groups, ...Object.values(agreements.personal)].map((one) => [one.version, one.terms] as const),
  ]);
}

const halfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** A partner's sales in the previous month, less its refunds. */
function soldBefore(sales: readonly Sale[], { attribution, createdAt }: Sale): number {
  const at = new Date(createdAt);
  const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const own = sales.filter((sale) => sale.attribution?.partnerId === attribution?.partnerId);
  const isIn = (time = '') => time.startsWith(month);
  const refunded = own.filter(({ fullyRefundedAt }) => isIn(fullyRefundedAt));
  return Math.max(0, own.filter((sale) => isIn(sale.createdAt)).length - refunded.length);
}

/** The commission that a sale earns by these terms; undefined if none is due. */
function earned(sale: Sale, terms: Terms, first: Sale, monthlySales: number) {
  const { commissionType: type, commissionRate, durationMonths, holdPeriodDays, tiers = [] } = terms;
  const until = durationMonths ? monthsLater(Date.parse(first.occurredAt), durationMonths) : Infinity;
  const isDue = type.startsWith('recurring_')
    ? first === sale || Date.parse(sale.occurredAt) < until
    : !sale.isRecurring;
  if (!isDue) return undefined;
  let rate = commissionRate;
  for (const tier of tiers) if (monthlySales >= tier.fromSales) ({ rate } = tier);
  const scaledRate = Math.round(rate * 10_000);
  return {
    commissionRate: rate,
    amountCents: type.endsWith('percent')
      ? halfUp(sale.amountCents * scaledRate, 1_000_000)
      : halfUp(scaledRate * 100, 10_000),
    holdUntil: new Date(Date.parse(sale.createdAt) + holdPeriodDays * DAY).toISOString(),
  };
}

async function expectWhatTermsPay(steps: readonly Step[]): Promise<void> {
  const { programId, made } = await lived(steps);
  const versions = await versionsOf(programId);
  const { table } = world.deps();
  const sales = await Promise.all(made.map(async ({ id }) => (await findSale(table, id))!));
  for (const [at, { id, customer, termsApply }] of made.entries()) {
    const sale = sales[at]!;
    const first = sales[made.findIndex((one) => one.customer === customer)]!;
    const { version } = sale.termsVersion!;
    const terms = versions.get(version)!;
    const isByFirst = termsApply === 'first_sale' && sale.isRecurring && first !== sale;
    expect(version).toBe(isByFirst ? first.termsVersion!.version : version);
    const expected = earned(sale, terms, first, soldBefore(sales, sale));
    const commission = await findCommission(table, id);
    expect(commission && { terms: commission.terms, ...pick(commission) }).toEqual(
      expected && { terms: sale.termsVersion, ...expected },
    );
  }
}

const pick = ({ commissionRate, amountCents, holdUntil }: SaleCommission) => ({
  commissionRate,
  amountCents,
  holdUntil,
});

/** Time limit of a history, far more than it needs even on a busy machine. */
const HISTORY_MS = 10_000;

const sizes = [
  { count: 'a few', numRuns: 6, tags: [] },
  { count: 'many', numRuns: Number(process.env.HISTORIES || 100), tags: ['deep'] },
];

describe('commissions equal, to the cent, what the terms at the time of their sales say', () => {
  for (const { count, numRuns, tags } of sizes)
    it(`in ${count} random histories`, { tags, timeout: numRuns * HISTORY_MS }, async () => {
      await fc.assert(fc.asyncProperty(anyHistory, expectWhatTermsPay), { numRuns });
    });
});
