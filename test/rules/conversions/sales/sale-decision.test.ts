import { describe, expect, it } from 'vitest';
import type { AttributedCustomer } from '#lib/service/traffic/customers/customer.ts';
import { ownTerms, type Program } from '#lib/service/programs/program/program.ts';
import {
  convertedCustomer,
  decideSale,
  type SaleCandidate,
  withoutCommission,
} from '#lib/service/conversions/sales/sale-decision.ts';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const CLICKED_AT = '2026-11-01T00:00:00.000Z';

const customer: AttributedCustomer = {
  clickId: 'clk_1',
  programId: 3,
  partnerId: 5,
  shortLink: 'ana',
  status: 'click',
  firstClickAt: CLICKED_AT,
};

/** The program data needed for a decision. */
const program = {
  id: 3,
  commissionType: 'percent',
  commissionRate: 20,
  holdPeriodDays: 15,
  attributionWindowDays: 60,
  removedPartnerIds: [] as number[],
} as unknown as Program;

const candidate: SaleCandidate = {
  facts: { transactionId: 'in_1', amountCents: 4_900, currency: 'USD', saleType: 'payment', isRecurring: false },
  source: 'processor',
  saleId: 42,
  commissionId: 17,
  paidAt: NOW,
  now: NOW,
};

const decide = (more: {
  readonly customer?: Partial<AttributedCustomer>;
  readonly program?: Partial<Program>;
  readonly candidate?: Partial<SaleCandidate>;
  readonly monthlySales?: number;
}) => {
  const found = { ...customer, ...more.customer };
  return decideSale(
    { ...candidate, ...more.candidate },
    { customer: found, stored: found, resolvedBy: 'click_id', identifier: 'clk_1' },
    { ...program, ...more.program },
    {
      terms: ownTerms({ ...program, ...more.program }),
      monthlySales:
        more.monthlySales === undefined ? undefined : { month: '2026-10', sales: more.monthlySales, isCertain: true },
    },
    350,
  );
};

const isRecurring = { facts: { ...candidate.facts, isRecurring: true } };

describe('a payment of a known customer', () => {
  it.each<[string, Parameters<typeof decide>[0], object]>([
    [
      'is its partner’s sale with a commission',
      {},
      { outcome: 'attributed', sale: { commissionState: 'created', commissionId: 17 } },
    ],
    [
      'is no attributed sale after the partner’s removal',
      { program: { removedPartnerIds: [5] } },
      { outcome: 'partnerRemoved' },
    ],
    [
      'is no attributed sale outside the attribution window',
      { program: { attributionWindowDays: 1 } },
      { outcome: 'outsideWindow', window: { within: false } },
    ],
    [
      'waits if its customer has no partner',
      { customer: { partnerId: undefined } },
      { outcome: 'noPartner', sale: { commissionState: 'noPartner' } },
    ],
    [
      'is a sale without commission if none is due',
      { candidate: isRecurring },
      { outcome: 'attributed', sale: { commissionState: 'notDue' } },
    ],
    [
      'is a sale with a failed commission if its terms pay nothing',
      { program: { commissionRate: 0 } },
      { outcome: 'attributed', sale: { commissionState: 'failed' }, failure: expect.any(RangeError) },
    ],
  ])('%s', (_, more, decided) => {
    expect(decide(more)).toMatchObject(decided);
  });

  it('causes an exception if its amount is missing, instead of a sale without a commission', () => {
    const facts = { ...candidate.facts, amountCents: undefined as unknown as number };
    expect(() => decide({ candidate: { facts } })).toThrow(TypeError);
  });
});

/** A sale sent with this key, without its commission. */
const failedWith = (customerKey?: string) => {
  const decision = decide({ candidate: { customerKey } });
  return decision.outcome === 'attributed' ? withoutCommission(decision).sale : undefined;
};

describe('the customer key in the request of a sale', () => {
  it.each<[string, Partial<AttributedCustomer>, string | undefined, string | undefined]>([
    ['is bound to a customer without a key', {}, 'user_1', 'user_1'],
    ['is absent if not sent', {}, undefined, undefined],
    ['is ignored if it can match nothing', {}, '', undefined],
    ['replaces one that only a browser claimed', { customerKey: 'first' }, 'user_1', 'user_1'],
    ['is not bound if the decision forbids it', { customerKey: 'first' }, undefined, 'first'],
    ['waits while a provisional lead may claim one', { leadState: 'provisional' }, 'user_1', undefined],
  ])('%s', (_, more, sent, bound) => {
    expect(
      convertedCustomer(
        { ...customer, ...more },
        {
          customerKey: sent,
          paidAt: NOW,
          firstTerms: 1,
          saleType: 'payment',
        },
      ).customerKey,
    ).toBe(bound);
  });

  it.each<[string, Partial<AttributedCustomer>, string | undefined]>([
    ['is moved from the customer that gives it up', {}, 'clk_browser'],
    ['is not moved while a provisional lead waits', { leadState: 'provisional' }, undefined],
  ])('%s', (_, more, keyTakenFrom) => {
    const claimed = { clickId: 'clk_browser', customerKey: 'user_1', keyBoundBy: 'browser' } as const;
    const claimant: AttributedCustomer = { ...customer, ...claimed };
    const decision = decide({ customer: more, candidate: { customerKey: 'user_1', claimant } });
    expect(decision).toMatchObject({ sale: { attribution: { keyTakenFrom } } });
  });

  it('is not stored with the customer if the sale is recorded without its commission', () => {
    const decision = decide({ candidate: { customerKey: 'user_1' } });
    if (decision.outcome !== 'attributed') throw new Error(decision.outcome);
    expect(decision.converted).toMatchObject({ status: 'conversion', customerKey: 'user_1' });
    expect(withoutCommission(decision)).toMatchObject({
      commission: undefined,
      converted: customer,
      claimant: undefined,
    });
  });

  it('is stored with the sale if its commission cannot be computed, so that a repair can give it to the customer', () => {
    expect(failedWith('user_1')).toMatchObject({
      commissionState: 'failed',
      commissionId: undefined,
      claimed: { customerKey: 'user_1' },
    });
    expect(failedWith()).toMatchObject({
      commissionState: 'failed',
      claimed: undefined,
      terms: { platformFeeBps: 350 },
    });
  });
});

it('a later sale does not change the time of the customer’s first purchase', () => {
  const before = { ...customer, status: 'conversion', firstPurchaseAt: CLICKED_AT, hasPaidFor: 'payment' } as const;
  expect(convertedCustomer(before, { paidAt: NOW, firstTerms: 2, saleType: 'payment' })).toEqual(before);
});

describe('the program’s terms at the customer’s first sale, stored with the customer,', () => {
  const terms = { commissionType: 'percent', commissionRate: 20, holdPeriodDays: 15 };

  it.each<[string, Partial<Program>, object]>([
    ['are kept as a version', {}, { firstTerms: 3 }],
    ['are kept in full if renewals are paid by them', { termsApply: 'first_sale' }, { firstTerms: terms }],
  ])('%s', (_, more, kept) => {
    expect(decide({ program: { ...more, termsVersion: 3 } })).toMatchObject({ converted: kept });
  });

  it('are not replaced by later sales', () => {
    const first = { status: 'conversion', firstPurchaseAt: CLICKED_AT, firstTerms: 1 } as const;
    expect(decide({ customer: first, program: { termsVersion: 3 } })).toMatchObject({ converted: { firstTerms: 1 } });
  });
});

it.each([
  [0, 20],
  [9, 20],
  [10, 25],
  [49, 25],
  [50, 30.5],
  [1_000, 30.5],
])('a partner with %d sales in the previous month earns %d percent by the tiers', (monthlySales, rate) => {
  const tiers = [
    { fromSales: 10, rate: 25 },
    { fromSales: 50, rate: 30.5 },
  ];
  expect(decide({ program: { tiers }, monthlySales })).toMatchObject({ commission: { commissionRate: rate } });
});
