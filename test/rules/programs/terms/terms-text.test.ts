import { expect, it } from 'vitest';
import { offerText } from '#lib/apps/web/terms-texts.ts';
import { termsReply } from '#lib/service/http/programs/terms-reply.ts';
import { termsText } from '#lib/service/programs/terms/terms-text.ts';
import { commissionTypes, type Terms } from '#lib/service/programs/terms/terms.ts';

const steps = [
  { fromSales: 1, rate: 25 },
  { fromSales: 5_000, rate: 30.5 },
];

it.each<[Terms, string, string]>([
  [
    { commissionType: 'recurring_percent', commissionRate: 20, durationMonths: 12, holdPeriodDays: 15 },
    'USD',
    '20% of each sale, renewals for 12 months. Commissions wait 15 days for refunds.',
  ],
  [
    { commissionType: 'fixed', commissionRate: 12.5, holdPeriodDays: 1, leadCommissionCents: 250 },
    'EUR',
    '€12.5 per sale, renewals excluded, and €2.50 per signup. Commissions wait 1 day for refunds.',
  ],
  [
    { commissionType: 'percent', commissionRate: 20, holdPeriodDays: 0, tiers: steps },
    'VND',
    '20% of each sale, renewals excluded (from 1 sale a month 25%, from 5,000 30.5%). Commissions do not wait for refunds.',
  ],
])('the terms %j in %s are written as “%s”', (terms, currency, text) => {
  expect(termsText(terms, currency)).toBe(text);
});

it('mails describe terms in exactly the words that the pages use', () => {
  for (const commissionType of commissionTypes) {
    for (const [currency, leadCommissionCents] of [
      ['USD', 250],
      ['JPY', 250],
      ['KWD', 0],
    ] as const) {
      for (const tiers of [undefined, ...(commissionType.endsWith('percent') ? [steps] : [])]) {
        const terms = { commissionType, commissionRate: 12.25, holdPeriodDays: 30, leadCommissionCents, tiers };
        for (const durationMonths of [undefined, 1, 6]) {
          const all = { ...terms, durationMonths };
          expect(termsText(all, currency)).toBe(offerText(termsReply(all), currency));
        }
      }
    }
  }
});
