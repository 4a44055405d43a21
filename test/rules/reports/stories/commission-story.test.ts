import { describe, expect, it } from 'vitest';
import type { AuditRow, Commission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { storyStepsOf, termsText, windowText } from '#lib/service/reports/stories/commission-story.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';

const at = '2026-11-20T15:00:00.000Z';
const later = '2026-11-21T15:00:00.000Z';
const created: AuditRow = {
  at,
  actor: 'api',
  action: 'created',
  from: null,
  to: 'pending',
  amountCents: 980,
  reason: null,
};
const row = (action: AuditRow['action'], amountCents: number, reason: string | null = null): AuditRow => ({
  ...created,
  at: later,
  action,
  amountCents,
  reason,
});
const sale = (changes: Partial<SaleCommission> = {}) =>
  ({
    currency: 'USD',
    commissionType: 'percent',
    commissionRate: 20,
    history: [created],
    ...changes,
  }) as SaleCommission;
const textsOf = (commission: Commission) => storyStepsOf({ commission, clicks: [] }).map(({ text }) => text);

it('the history of a commission shown to a partner begins with the first click, and lists later clicks in order of time', () => {
  const click = { id: 1, at, shortLink: 'ana', isFirst: true };
  const clicks = [click, { ...click, at: later, isFirst: false }];
  expect(storyStepsOf({ commission: sale(), clicks }).map(({ text }) => text)).toEqual([
    'First click through your link ana',
    'Commission of 9.80 USD',
    'Later click through your link ana',
  ]);
});

describe('a change in the history of a commission shown to a partner', () => {
  it.each([
    ['Approved by the program', row('approved', 980)],
    ['Rejected by the program: Self-referral', row('rejected', 980, 'Self-referral')],
    ['Rejected by the program: ', row('rejected', 980)],
    ['Recorded in payout 7: 9.80 USD', row('paid', 980, 'payout 7')],
    ['Recorded in a payout: 9.80 USD', row('paid', 980)],
    ['Reopened by the program, which decides again', row('reopened', 980, 'Checked again')],
    ['Not paid after all: 9.80 USD (payout 7: Closed)', row('unpaid', -980, 'payout 7: Closed')],
    ['Not taken back after all: 9.80 USD ()', row('unpaid', 980)],
    ['Taken back in payout 8: 9.80 USD', row('adjusted', -980, 'payout 8')],
    ['Recorded in addition in payout 8: 9.80 USD', row('adjusted', 980, 'payout 8')],
    ['Taken back: 9.80 USD', row('adjusted', -980)],
    ['Reduced by 4.90 USD: the payment was refunded', row('deducted', 490, 'refund')],
    ['Reduced by 4.90 USD', row('deducted', 490)],
    ['Reduced by 4.90 USD', row('deducted', 490, 'as Ben asked')],
    ['Reversed: the payment was charged back', row('reversed', 980, 'chargeback')],
    ['Restored by 9.80 USD: the program won the dispute', row('restored', -980, 'dispute_won')],
    ['Restored by 9.80 USD: the refund was corrected', row('corrected', -980, 'correction')],
    [
      'Recalculated as 7.00 USD: it became known what was sold in 2026-10',
      row('recalculated', 700, 'it became known what was sold in 2026-10'),
    ],
    [
      'Recalculated as 0.00 USD: an earlier payment became known',
      row('recalculated', 0, 'an earlier payment became known'),
    ],
    ['Recalculated as 7.00 USD: the tax of the payment became known', row('recalculated', 700, 'the tax')],
  ])('is described as: %s', (text, change) => {
    expect(textsOf(sale({ history: [created, change] }))).toEqual(['Commission of 9.80 USD', text]);
  });

  it('can be that the hold ended, which is listed before other changes of the same time', () => {
    const paid = row('paid', 980, 'payout 7');
    expect(textsOf(sale({ approvedAt: later, history: [created, paid] }))).toEqual([
      'Commission of 9.80 USD',
      'Approved: the hold is over',
      'Recorded in payout 7: 9.80 USD',
    ]);
  });
});

it('the history of a commission shown to a partner omits what happened while the commission was another partner’s', () => {
  const moved = row('recalculated', 2450, 'the customer of the payment became known');
  const before = [created, row('approved', 980), row('deducted', 490, 'refund')];
  const history = [...before, moved, row('deducted', 1225, 'refund')];
  expect(textsOf(sale({ approvedAt: '2026-12-05T15:00:00.000Z', history }))).toEqual([
    'Commission of 24.50 USD',
    'Reduced by 12.25 USD: the payment was refunded',
    'Approved: the hold is over',
  ]);
});

describe('the terms in the explanation of a commission', () => {
  const terms = { holdPeriodDays: 15, version: { version: 1, from: 'program' } } as TermsInForce;
  it.each([
    ['20% of each sale, renewals excluded', sale(), undefined],
    [
      '$50 per sale, renewals excluded. Commissions wait 15 days for refunds.',
      sale({ commissionType: 'fixed', commissionRate: 50 }),
      terms,
    ],
    [
      '20% of each sale, renewals included. Commissions wait 1 day for refunds.',
      sale({ commissionType: 'recurring_percent' }),
      { ...terms, holdPeriodDays: 1 },
    ],
    [
      '$20 per sale, renewals for 12 months. Commissions wait 15 days for refunds.',
      sale({ commissionType: 'recurring_fixed' }),
      { ...terms, durationMonths: 12 },
    ],
    [
      '20% of each sale, renewals for 1 month. Commissions wait 15 days for refunds.',
      sale({ commissionType: 'recurring_percent' }),
      { ...terms, durationMonths: 1 },
    ],
    [
      '$5.00 per signup. Commissions wait 15 days for refunds.',
      { ...sale(), kind: 'lead', amountCents: 500 } as never,
      terms,
    ],
    [
      '20% of each sale, renewals excluded, by 12 sales in 2026-10. Commissions wait 15 days for refunds.',
      sale({ tierSales: { month: '2026-10', sales: 12 } }),
      terms,
    ],
    ['Granted by the program', { ...sale(), kind: 'manual' } as never, undefined],
  ])('are described as: %s', (text, commission, agreed) => {
    expect(termsText({ commission, terms: agreed })).toBe(text);
  });
});

describe('the attribution window in the explanation of a commission', () => {
  const window = { comparedWith: 'payment', comparedAt: at, ageMs: 86_400_000, windowDays: 60, within: true } as const;
  it.each([
    ['The payment came 1 day after the first click: within the window of 60 days.', { window }],
    [
      'The payment came on the same day as the first click: within the window of 60 days.',
      { window: { ...window, ageMs: 86_399_999 } },
    ],
    [
      'The payment came 1 day after the first click: outside the window of 60 days.',
      { window: { ...window, within: false } },
    ],
    ['A coupon code brought the customer, so the attribution window does not apply.', { broughtByCode: true } as const],
    ['The customer had paid before, so the window was not checked again.', {}],
  ])('is described as: %s', (text, attribution) => {
    expect(windowText(attribution)).toBe(text);
  });
});
