import type { Currency } from '#lib/service/ground/values/currency.ts';

export const commissionTypes = ['percent', 'fixed', 'recurring_percent', 'recurring_fixed'] as const;
export type CommissionType = (typeof commissionTypes)[number];

export const termsSources = ['program', 'group', 'partner'] as const;

/** A version of terms: of those of the program itself, of a group of partners, or of one partner. */
export interface TermsVersion {
  /** Unique in the program and rising with every change of any of its terms. */
  readonly version: number;
  readonly from: (typeof termsSources)[number];
  /** Of the program or group at that time; absent for a partner's, who is shown by the present name. */
  readonly name?: string;
}

/** That terms were changed: by which of them sales are paid has its own versions. */
export interface TermsChange {
  readonly from: TermsVersion['from'];
  /** Of the program, the group or the partner. */
  readonly id: number;
  /** Of the program or group at that time; absent for a partner, who is shown by the present name. */
  readonly name?: string;
  /** ISO 8601. */
  readonly at: string;
  /** Who changed them, as they were called then; absent where nobody signed for it. */
  readonly by?: string;
}

/** The most that a lead may earn, in cents. */
export const MOST_LEAD_CENTS = 100_000_000;

export const DEFAULT_HOLD_DAYS = 15;

/** Which terms pay the renewals of a customer: those of the renewal's time, or those of the first sale. */
export const termsApplications = ['current', 'first_sale'] as const;
export type TermsApply = (typeof termsApplications)[number];

export const MOST_TIERS = 10;

/** A rate for partners who sold this much. */
export interface Tier {
  readonly fromSales: number;
  readonly rate: number;
}

/** What the sales and leads of a partner earn. */
export interface Terms {
  readonly commissionType: CommissionType;
  /** Percent for percent types, units of the program's currency for fixed types. */
  readonly commissionRate: number;
  /** Months for which recurring types pay; 0 or absent = lifetime. */
  readonly durationMonths?: number;
  readonly holdPeriodDays: number;
  /** What a settled lead earns, in the program's currency; absent = 0. */
  readonly leadCommissionCents?: number;
  /** Of percent types, with rising `fromSales`: rates by what a partner sold last month. Absent = none. */
  readonly tiers?: readonly Tier[];
}

/** Terms with their version and where they come from. */
export interface TermsInForce extends Terms {
  readonly version: TermsVersion;
}

/** What a partner sold in a month, as tiers count it. */
export interface MonthlySales {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly sales: number;
}

/** Among which rates tiers choose. */
export type Rates = Pick<Terms, 'commissionRate' | 'tiers'>;

/** The sales by which tiers have chosen a rate. */
export interface TierSales extends MonthlySales {
  /** Absent: the number is certain. Until it is, sales of the month may not be counted yet, and it chooses among these. */
  readonly rates?: Rates;
}

/** What a sale pays, as agreed at the sale's time. A later change of the program does not touch it. */
export interface CommissionTerms {
  readonly commissionType: CommissionType;
  /** Percent for percent types, units of `currency` for fixed types. */
  readonly commissionRate: number;
  /** The program's. */
  readonly currency: Currency;
  /** Calendar months from the first purchase during which recurring types pay; absent = lifetime. */
  readonly durationMonths?: number;
  readonly holdPeriodDays: number;
  readonly platformFeeBps: number;
  readonly version: TermsVersion;
  /** By which tiers chose the rate; absent where there are none. */
  readonly tierSales?: TierSales;
}

/** Terms by which a sale is paid. */
export interface AgreedTerms {
  readonly terms: TermsInForce;
  /** Of the last closed month; absent where there are no tiers. */
  readonly monthlySales?: MonthlySales & { readonly isCertain: boolean };
}

export const hasTiers = ({ tiers = [] }: Terms): boolean => tiers.length > 0;

/** The rate of the highest tier that is reached; below the first one, that of the terms. */
export const rateFor = ({ commissionRate, tiers = [] }: Rates, sales: number): number =>
  tiers.findLast(({ fromSales }) => fromSales <= sales)?.rate ?? commissionRate;

export function tierSalesOf({ terms, monthlySales }: AgreedTerms): TierSales | undefined {
  if (!monthlySales) return undefined;
  const { isCertain, ...counted } = monthlySales;
  const { commissionRate, tiers } = terms;
  return isCertain ? counted : { ...counted, rates: { commissionRate, tiers } };
}

/** The terms alone, of something that has more, such as a program. */
export const termsIn = (holder: Terms): Terms => ({
  commissionType: holder.commissionType,
  commissionRate: holder.commissionRate,
  durationMonths: holder.durationMonths || undefined,
  holdPeriodDays: holder.holdPeriodDays,
  leadCommissionCents: holder.leadCommissionCents || undefined,
  tiers: hasTiers(holder) ? holder.tiers?.map(({ fromSales, rate }) => ({ fromSales, rate })) : undefined,
});

/** Whether both pay the same in every case. */
export const areSameTerms = (one: Terms, other: Terms): boolean =>
  JSON.stringify(termsIn(one)) === JSON.stringify(termsIn(other));
