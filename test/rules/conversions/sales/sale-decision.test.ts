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
      'is recorded as a sale with a commission for the partner',
      {},
      { outcome: 'attributed', sale: { commissionState: 'created', commissionId: 17 } },
    ],
    [
      'is not attributed if the partner was removed',
      { program: { removedPartnerIds: [5] } },
      { outcome: 'partnerRemoved' },
    ],
    [
      'is not attributed if it is outside the attribution window',
      { program: { attributionWindowDays: 1 } },
      { outcome: 'outsideWindow', window: { within: false } },
    ],
    [
      'has the outcome noPartner if the customer has no partner',
      { customer: { partnerId: undefined } },
      { outcome: 'noPartner', sale: { commissionState: 'noPartner' } },
    ],
    [
      'is recorded as a sale without a commission if the program pays none for renewals',
      { candidate: isRecurring },
      { outcome: 'attributed', sale: { commissionState: 'notDue' } },
    ],
    [
      'is recorded as a sale with a failed commission if the rate in the terms is 0',
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
    ['is stored with a customer who has no key', {}, 'user_1', 'user_1'],
    ['is not stored if none is sent', {}, undefined, undefined],
    ['is not stored if it is empty', {}, '', undefined],
    ['replaces a key that only a browser sent', { customerKey: 'first' }, 'user_1', 'user_1'],
    ['leaves the customer’s present key unchanged if it is absent', { customerKey: 'first' }, undefined, 'first'],
    ['is not stored while the customer’s lead is provisional', { leadState: 'provisional' }, 'user_1', undefined],
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
    ['is taken from a customer for whom only a browser sent it', {}, 'clk_browser'],
    ['is not taken from another customer while the lead is provisional', { leadState: 'provisional' }, undefined],
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

  it('is stored with a sale whose commission cannot be computed, so that `sale repair` can give the customer that key', () => {
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
    ['are stored as a version number', {}, { firstTerms: 3 }],
    [
      'are stored in full if the program pays renewals by the terms of the first sale',
      { termsApply: 'first_sale' },
      { firstTerms: terms },
    ],
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
