import { describe, expect, it } from 'vitest';
import { centsEntry, previewedTerms, termsIn } from '#lib/apps/dashboard/program/program-fields.ts';
import {
  previewText,
  sourceText,
  termsText,
  tierSalesText,
  tiersEntry,
  versionText,
} from '#lib/apps/web/terms-texts.ts';
import type { Terms } from '#lib/wire/programs/terms.ts';

const terms: Terms = {
  commission_type: 'recurring_percent',
  commission_rate: 30,
  duration_months: 12,
  hold_period_days: 15,
  lead_commission_cents: 0,
  tiers: [],
};
const tiers = [
  { from_sales: 10, rate: 35 },
  { from_sales: 50, rate: 40.5 },
];

it('the preview describes the commission terms that the user has entered in the form', () => {
  expect(previewText('Ana', terms, 'USD', 'personal terms')).toBe(
    'Ana gets 30% of each sale, renewals for 12 months, from personal terms. Commissions wait 15 days for refunds.',
  );
});

it.each<[string, Partial<Terms>, string, string]>([
  [
    'with tiers',
    { tiers },
    'USD',
    '30% of each sale, renewals for 12 months (from 10 sales a month 35%, from 50 40.5%)',
  ],
  [
    'with a commission for sign-ups',
    { lead_commission_cents: 250 },
    'EUR',
    '30% of each sale, renewals for 12 months, and €2.50 per signup',
  ],
  ['of a fixed amount', { commission_type: 'fixed', commission_rate: 500 }, 'JPY', '¥500 per sale, renewals excluded'],
  [
    'with a tier from one sale on',
    { tiers: [{ from_sales: 1, rate: 9 }] },
    'USD',
    '30% of each sale, renewals for 12 months (from 1 sale a month 9%)',
  ],
])('commission terms %s are described in a sentence', (_, changes, currency, text) => {
  expect(termsText({ ...terms, ...changes }, currency)).toBe(text);
});

it('the source of commission terms is described: the program, a group or the partner’s personal terms', () => {
  expect(sourceText({ from: 'program', name: 'Acme' })).toBe('the terms of the program');
  expect(sourceText({ from: 'group', name: 'Creators' })).toBe('the terms of the group Creators');
  expect(versionText({ version: 3, from: 'partner', name: 'Ana' })).toBe('Version 3, from personal terms');
});

describe('commission terms that a user enters in a form', () => {
  const entered = {
    commission_type: 'recurring_percent',
    commission_rate: '30',
    duration_months: '12',
    hold_period_days: '15',
    lead_commission_cents: '',
    tiers: '',
  };

  it('are converted to the terms in the request', () => {
    expect(termsIn(entered, 'USD')).toEqual(terms);
    expect(previewedTerms(entered, 'USD')).toEqual(terms);
    const more = { ...entered, lead_commission_cents: '2,55', tiers: '10 35%\n\n 50: 40.5 ' };
    expect(termsIn(more, 'USD')).toEqual({ ...terms, lead_commission_cents: 255, tiers });
    const { duration_months: _, ...once } = { ...entered, commission_type: 'fixed', lead_commission_cents: '7' };
    expect(previewedTerms(once, 'JPY')).toMatchObject({ duration_months: null, lead_commission_cents: 7 });
  });

  it.each([
    { commission_rate: 'x' },
    { commission_rate: '' },
    { lead_commission_cents: 'x' },
    { tiers: '10' },
    { tiers: '10 20 30' },
    { tiers: 'x 20' },
    { tiers: '10 x' },
  ])('such as %j have no preview, and are sent as they are, so that the service refuses them', (wrong) => {
    expect(previewedTerms({ ...entered, ...wrong }, 'USD')).toBeUndefined();
    expect(termsIn({ ...entered, ...wrong }, 'USD')).not.toEqual(terms);
  });

  it('with more decimals than the currency has are sent as they are, so that the service refuses them', () => {
    expect(termsIn({ ...entered, lead_commission_cents: '2.555' }, 'USD').lead_commission_cents).toBeCloseTo(255.5);
  });

  it('are shown in the form again as they were entered', () => {
    expect(tiersEntry(tiers)).toBe('10 35\n50 40.5');
    expect(tiersEntry()).toBe('');
    expect([centsEntry(250, 'USD'), centsEntry(7, 'JPY'), centsEntry(0, 'USD'), centsEntry(undefined, 'USD')]).toEqual([
      '2.5',
      '7',
      '',
      '',
    ]);
  });
});

it('the text about tiers says how many sales determined the tier, and whether their number is final', () => {
  const counted = { month: '2026-11', sales: 12, is_final: true };
  expect(tierSalesText(counted)).toBe('By 12 sales in Nov 2026');
  expect(tierSalesText({ ...counted, sales: 1, is_final: false })).toBe(
    'By 1 sale in Nov 2026, of which not all may be counted yet',
  );
});
