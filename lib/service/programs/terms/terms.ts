import type { Currency } from '#lib/service/ground/values/currency.ts';

export const commissionTypes = ['percent', 'fixed', 'recurring_percent', 'recurring_fixed'] as const;
export type CommissionType = (typeof commissionTypes)[number];

export const termsSources = ['program', 'group', 'partner'] as const;

/** A version of terms: of the program itself, of a group of partners, or of one partner. */
export interface TermsVersion {
  /** The number of the version: unique in the program, and higher with every change of any of its terms. */
  readonly version: number;
  readonly from: (typeof termsSources)[number];
  /** Name of the program or group when the version began; absent for a partner, who is shown by the present name. */
  readonly name?: string;
}

/** When a version of terms applied, and who made it. Times are ISO 8601. Fields that were not recorded are absent. */
export interface TermsHistory {
  /** Id of the group or partner; absent for the program. */
  readonly id?: number;
  readonly effectiveAt?: string;
  /** When the version ended; absent while it is in force. */
  readonly endedAt?: string;
  /** The author, with the name at that time. */
  readonly by?: { readonly name: string; readonly accountId?: number };
}

/** A change of terms, for the list of changes. Versions of terms by which sales are paid are other items. */
export interface TermsChange {
  readonly from: TermsVersion['from'];
  /** Id of the program, the group or the partner. */
  readonly id: number;
  /**
   * Name of the program or group when the terms were changed; absent for a partner, who is shown by the present name.
   */
  readonly name?: string;
  /** When the terms were changed, ISO 8601. */
  readonly at: string;
  /** Name of the person who changed the terms, as it was then; absent if no person changed them. */
  readonly by?: string;
}

/** The most that a lead may earn, in cents. */
export const MOST_LEAD_CENTS = 100_000_000;

export const DEFAULT_HOLD_DAYS = 15;

/** Which terms apply to a customer's renewals: the current ones, or those of the first sale. */
export const termsApplications = ['current', 'first_sale'] as const;
export type TermsApply = (typeof termsApplications)[number];

export const MOST_TIERS = 10;

/** A rate for partners with at least this many sales. */
export interface Tier {
  readonly fromSales: number;
  readonly rate: number;
}

/** The terms of the commissions for a partner's sales and leads. */
export interface Terms {
  readonly commissionType: CommissionType;
  /** Percent for percentage types, units of the program's currency for fixed types. */
  readonly commissionRate: number;
  /** Months for which recurring types pay; 0 or absent = lifetime. */
  readonly durationMonths?: number;
  readonly holdPeriodDays: number;
  /** The commission for a settled lead, in the program's currency; absent = 0. */
  readonly leadCommissionCents?: number;
  /** Rates by the partner's sales of last month, for percentage types, with rising `fromSales`. Absent = none. */
  readonly tiers?: readonly Tier[];
}

/** Terms with their version and origin. */
export interface TermsInForce extends Terms {
  readonly version: TermsVersion;
}

/** A partner's sales in a month, as tiers count them. */
export interface MonthlySales {
  /** The month as `YYYY-MM`. */
  readonly month: string;
  readonly sales: number;
}

/** The rates among which the tier is chosen. */
export type Rates = Pick<Terms, 'commissionRate' | 'tiers'>;

/** The partner's sales of a month by which the tier was chosen. */
export interface TierSales extends MonthlySales {
  /**
   * The rates from which the tier is chosen again as soon as the number of sales is final; absent if it is final
   * already. It is not final while some sales of the month may not be counted yet.
   */
  readonly rates?: Rates;
}

/**
 * The terms by which the commission of a sale is computed, as they were at the time of the sale. Later changes of the
 * program do not affect them.
 */
export interface CommissionTerms {
  readonly commissionType: CommissionType;
  /** Percent for percentage types, units of `currency` for fixed types. */
  readonly commissionRate: number;
  /** The program's currency. */
  readonly currency: Currency;
  /** Calendar months from the first purchase during which recurring types pay; absent = lifetime. */
  readonly durationMonths?: number;
  readonly holdPeriodDays: number;
  readonly platformFeeBps: number;
  readonly version: TermsVersion;
  /** The number of sales by which the tier was chosen; absent if there are no tiers. */
  readonly tierSales?: TierSales;
}

/** The terms that apply to a sale, with the number of the partner's sales by which the tier is chosen. */
export interface AgreedTerms {
  readonly terms: TermsInForce;
  /** The partner's sales in the last complete month; absent if there are no tiers. */
  readonly monthlySales?: MonthlySales & { readonly isCertain: boolean };
}

export const hasTiers = ({ tiers = [] }: Terms): boolean => tiers.length > 0;

/** The rate of the highest tier that the sales reach. Below the first tier, it is the rate of the terms. */
export const rateFor = ({ commissionRate, tiers = [] }: Rates, sales: number): number =>
  tiers.findLast(({ fromSales }) => fromSales <= sales)?.rate ?? commissionRate;

export function tierSalesOf({ terms, monthlySales }: AgreedTerms): TierSales | undefined {
  if (!monthlySales) return undefined;
  const { isCertain, ...counted } = monthlySales;
  const { commissionRate, tiers } = terms;
  return isCertain ? counted : { ...counted, rates: { commissionRate, tiers } };
}

/** Extracts the terms from an object that also has other fields, such as a program. */
export const termsIn = (holder: Terms): Terms => ({
  commissionType: holder.commissionType,
  commissionRate: holder.commissionRate,
  durationMonths: holder.durationMonths || undefined,
  holdPeriodDays: holder.holdPeriodDays,
  leadCommissionCents: holder.leadCommissionCents || undefined,
  tiers: hasTiers(holder) ? holder.tiers?.map(({ fromSales, rate }) => ({ fromSales, rate })) : undefined,
});

/** Whether two versions of terms pay the same in every case. */
export const areSameTerms = (one: Terms, other: Terms): boolean =>
  JSON.stringify(termsIn(one)) === JSON.stringify(termsIn(other));
