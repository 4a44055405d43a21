// Terms in words. The pages and the service use the same sentences, so this file imports nothing.

/** Terms that are described in words. The rate of a tier applies if the partner has at least so many sales a month. */
interface OfferedTerms {
  readonly commissionType: string;
  readonly commissionRate: number;
  /** Months for which recurring types pay; undefined, null or 0 = without limit. */
  readonly durationMonths?: number | null;
  readonly leadCommissionCents?: number;
  readonly tiers?: readonly { readonly fromSales: number; readonly rate: number }[];
}

/** The language and formats in which numbers and money are written. */
interface Notation {
  /** A language tag; undefined for the default of `Intl`. */
  readonly language: string | undefined;
  readonly currency: string;
  /** The number of decimals of the currency. */
  readonly decimals: number;
}

type Language = Pick<Notation, 'language'>;

/** The number of decimals of a stored rate. */
const RATE_DECIMALS = 4;

const percentText = (percent: number, { language }: Language): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: RATE_DECIMALS }).format(percent / 100);

function moneyText(units: number, { language, currency }: Notation, least: number, most: number): string {
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  return new Intl.NumberFormat(language, { style: 'currency', currency, ...digits }).format(units);
}

const countText = (count: number, { language }: Language): string => new Intl.NumberFormat(language).format(count);

const countOf = (count: number, one: string, notation: Language): string =>
  `${countText(count, notation)} ${one}${count === 1 ? '' : 's'}`;

/** The commission of sales, for example `20% of each sale, renewals for 12 months` or `€50 per sale, renewals excluded`. */
export function saleCommissionText(
  {
    commissionType: type,
    commissionRate: rate,
    durationMonths: months,
  }: Pick<OfferedTerms, 'commissionType' | 'commissionRate' | 'durationMonths'>,
  notation: Notation,
): string {
  const each = type.endsWith('percent')
    ? `${percentText(rate, notation)} of each sale`
    : `${moneyText(rate, notation, 0, RATE_DECIMALS)} per sale`;
  if (!type.startsWith('recurring_')) return `${each}, renewals excluded`;
  return `${each}, renewals ${months ? `for ${countOf(months, 'month', notation)}` : 'included'}`;
}

/** The commission of a signup, for example `$5.00 per signup`. */
export const signupCommissionText = (cents: number, notation: Notation): string =>
  `${moneyText(cents / 10 ** notation.decimals, notation, notation.decimals, notation.decimals)} per signup`;

/** Rates by sales, for example `from 10 sales a month 25%, from 50 30%`. */
export const tiersText = (tiers: NonNullable<OfferedTerms['tiers']>, notation: Language): string =>
  tiers
    .map(({ fromSales, rate }, at) => {
      const from = at === 0 ? `${countOf(fromSales, 'sale', notation)} a month` : countText(fromSales, notation);
      return `from ${from} ${percentText(rate, notation)}`;
    })
    .join(', ');

/** The commissions of sales and signups, without a full stop. */
export function commissionsText(terms: OfferedTerms, notation: Notation): string {
  const { tiers = [], leadCommissionCents: lead = 0 } = terms;
  const steps = tiers.length > 0 ? ` (${tiersText(tiers, notation)})` : '';
  const signups = lead > 0 ? `, and ${signupCommissionText(lead, notation)}` : '';
  return `${saleCommissionText(terms, notation)}${steps}${signups}`;
}

/** The hold period of commissions, as a sentence. @param days length of the hold period */
export const waitText = (days: number, notation: Language): string =>
  days === 0
    ? 'Commissions do not wait for refunds.'
    : `Commissions wait ${countOf(days, 'day', notation)} for refunds.`;
