import { commissionText, countOf, countText, moneyText, monthText, percentText } from '#lib/apps/web/format.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import type { Terms, TermsVersion } from '#lib/wire/programs/terms.ts';

type Tiers = Terms['tiers'];

/** Tiers as entered, one per line: the number of sales and the rate. */
export const tiersEntry = (tiers: Tiers = []): string =>
  tiers.map((step) => `${step.from_sales} ${step.rate}`).join('\n');

/** Tiers in words, for example `from 10 sales a month 25%, from 50 30%`. */
export const tiersText = (tiers: Tiers): string =>
  tiers
    .map(
      ({ from_sales: from, rate }, at) =>
        `from ${at === 0 ? `${countOf(from, 'sale')} a month` : countText(from)} ${percentText(rate)}`,
    )
    .join(', ');

/** The terms in words. @param currency the program's */
export function termsText(terms: Terms, currency: string): string {
  const { tiers, lead_commission_cents: lead } = terms;
  const sale = commissionText({ ...terms, currency });
  const steps = tiers.length > 0 ? ` (${tiersText(tiers)})` : '';
  return `${sale}${steps}${lead > 0 ? `, and ${moneyText(lead, currency)} per signup` : ''}`;
}

/** What partners are offered, in words. @param currency the program's */
export const offerText = (terms: Terms, currency: string): string =>
  `${termsText(terms, currency)}. Commissions wait ${countOf(terms.hold_period_days, 'day')} for refunds.`;

const sources = { program: 'the terms of the program', partner: 'personal terms' } as const;

/** The origin of terms: `personal terms`, `the terms of the group Creators`. */
export const sourceText = ({ from, name }: Pick<TermsVersion, 'from' | 'name'>): string =>
  from === 'group' ? `the terms of the group ${name}` : sources[from];

/** A version of terms in words, for example `Version 3, from personal terms`. */
export const versionText = (terms: TermsVersion): string => `Version ${terms.version}, from ${sourceText(terms)}`;

/** The sales that chose a tier in words, for example `By 12 sales in Nov 2026`. */
export const tierSalesText = ({ month, sales, is_final: isFinal }: NonNullable<ExplainedSale['tiers']>): string =>
  `By ${countOf(sales, 'sale')} in ${monthText(month)}${isFinal ? '' : ', of which not all may be counted yet'}`;

/** Describes the terms while they are being entered. @param who for example a partner's name */
export const previewText = (who: string, terms: Terms, currency: string, source: string): string =>
  `${who} gets ${termsText(terms, currency)}, from ${source}. ` +
  `Commissions wait ${countOf(terms.hold_period_days, 'day')} for refunds.`;
