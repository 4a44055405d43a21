import { countOf, monthText, notationOf } from '#lib/apps/web/format.ts';
import { LOCALE } from '#lib/apps/web/locale.ts';
import { commissionsText, tiersText as offeredTiersText, waitText } from '#lib/service/programs/terms/offer-text.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import type { Terms, TermsVersion } from '#lib/wire/programs/terms.ts';

type Tiers = Terms['tiers'];

/** Writes tiers as the person enters them: one per line, with the number of sales and the rate. */
export const tiersEntry = (tiers: Tiers = []): string =>
  tiers.map((step) => `${step.from_sales} ${step.rate}`).join('\n');

const offeredTiers = (tiers: Tiers) => tiers.map(({ from_sales: fromSales, rate }) => ({ fromSales, rate }));

/** Describes tiers in words: `from 10 sales a month 25%, from 50 30%`. */
export const tiersText = (tiers: Tiers): string => offeredTiersText(offeredTiers(tiers), { language: LOCALE });

/** Describes terms in words, as part of a sentence. @param currency of the program */
export const termsText = (terms: Terms, currency: string): string =>
  commissionsText(
    {
      commissionType: terms.commission_type,
      commissionRate: terms.commission_rate,
      durationMonths: terms.duration_months,
      leadCommissionCents: terms.lead_commission_cents,
      tiers: offeredTiers(terms.tiers),
    },
    notationOf(currency),
  );

/** Describes in words what partners are offered. @param currency of the program */
export const offerText = (terms: Terms, currency: string): string =>
  `${termsText(terms, currency)}. ${waitText(terms.hold_period_days, notationOf(currency))}`;

const sources = { program: 'the terms of the program', partner: 'personal terms' } as const;

/** Says where terms come from: `personal terms`, `the terms of the group Creators`. */
export const sourceText = ({ from, name }: Pick<TermsVersion, 'from' | 'name'>): string =>
  from === 'group' ? `the terms of the group ${name}` : sources[from];

/** Names a version of terms: `Version 3, from personal terms`. */
export const versionText = (terms: TermsVersion): string => `Version ${terms.version}, from ${sourceText(terms)}`;

/** Names the sales that determined a tier: `By 12 sales in Nov 2026`. */
export const tierSalesText = ({ month, sales, is_final: isFinal }: NonNullable<ExplainedSale['tiers']>): string =>
  `By ${countOf(sales, 'sale')} in ${monthText(month)}${isFinal ? '' : ', of which not all may be counted yet'}`;

/** Describes terms while they are being entered. @param who for whom the terms apply, such as a partner's name */
export const previewText = (who: string, terms: Terms, currency: string, source: string): string =>
  `${who} gets ${termsText(terms, currency)}, from ${source}. ` +
  waitText(terms.hold_period_days, notationOf(currency));
