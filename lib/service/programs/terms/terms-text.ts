import { type Currency, decimalsOf } from '#lib/service/ground/values/currency.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';

const LANGUAGE = 'en-US';
/** The number of decimals of a stored rate. */
const RATE_DECIMALS = 4;

const money = (units: number, currency: Currency, minimumFractionDigits: number, maximumFractionDigits: number) =>
  new Intl.NumberFormat(LANGUAGE, { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits }).format(
    units,
  );

/** Terms in words, for example `20% of each sale, renewals for 12 months. Commissions wait 15 days for refunds.` */
export function termsText(terms: Terms, currency: Currency): string {
  const { holdPeriodDays: hold, leadCommissionCents: lead = 0, tiers = [] } = terms;
  const decimals = decimalsOf(currency);
  const steps = tiers.map(
    ({ fromSales, rate }, at) =>
      `from ${at === 0 ? `${countOf(fromSales, 'sale')} a month` : counts.format(fromSales)} ${rate}%`,
  );
  return [
    saleText(terms, currency),
    ...(steps.length > 0 ? [` (${steps.join(', ')})`] : []),
    ...(lead > 0 ? [`, and ${money(lead / 10 ** decimals, currency, decimals, decimals)} per signup`] : []),
    `. Commissions wait ${countOf(hold, 'day')} for refunds.`,
  ].join('');
}

function saleText({ commissionType: type, commissionRate: rate, durationMonths: months }: Terms, currency: Currency) {
  const each = type.endsWith('percent')
    ? `${rate}% of each sale`
    : `${money(rate, currency, 0, RATE_DECIMALS)} per sale`;
  if (!type.startsWith('recurring_')) return `${each}, renewals excluded`;
  return `${each}, renewals ${months ? `for ${months} months` : 'included'}`;
}

const counts = new Intl.NumberFormat(LANGUAGE);
const countOf = (count: number, one: string): string => `${counts.format(count)} ${one}${count === 1 ? '' : 's'}`;
