import { expect, it } from 'vitest';
import { agoText, conflictText, fieldName } from '#lib/apps/web/forms/conflict-text.ts';

const AT = '2026-11-20T15:00:00.000Z';

it.each([
  ['commission_rate', 'Commission rate'],
  ['hold_period_days', 'Hold period'],
  ['minimum_payout_cents', 'Minimum payout'],
  ['payout_days', 'Payout days'],
  ['processor_code_id', 'Stripe id'],
])('the message about a conflicting change calls the field %s “%s”', (field, name) => {
  expect(fieldName(field)).toBe(name);
});

it.each([
  ['2026-11-20T14:59:59.000Z', 'a minute ago'],
  ['2026-11-20T15:00:05.000Z', 'a minute ago'],
  ['2026-11-20T15:05:00.000Z', '5 minutes ago'],
  ['2026-11-20T16:00:00.000Z', 'an hour ago'],
  ['2026-11-20T18:00:00.000Z', '3 hours ago'],
  ['2026-11-21T16:00:00.000Z', 'a day ago'],
  ['2026-11-24T15:00:00.000Z', '4 days ago'],
])('the message about a conflicting change, read at %s, says “%s”', (now, text) => {
  expect(agoText(AT, now)).toBe(text);
});

it.each<[string, unknown, string]>([
  ['commission_rate', 22, 'Commission rate to 22'],
  ['status', 'paused', 'Status to paused'],
  ['lead_auth', 'browser_allowed', 'Lead auth to browser allowed'],
  ['processor_code_id', 'promo_1', 'Stripe id to promo_1'],
  ['auto_approve', false, 'Auto approve to off'],
  ['auto_approve', true, 'Auto approve to on'],
  ['duration_months', null, 'Duration to nothing'],
  ['banned_referrers', [], 'Banned referrers to none'],
  ['banned_referrers', ['a.test', 'b.test'], 'Banned referrers to a.test, b.test'],
  ['partner_terms', 'x'.repeat(81), 'Partner terms'],
  ['tiers', [{ from_sales: 2, rate: 30 }], 'Tiers'],
  ['rules', { velocity: 'hold' }, 'Rules'],
])('the message about a conflicting change says, if %s was changed to %j: %s', (field, value, what) => {
  const text = conflictText({ by: { name: 'Kim' }, at: AT, field, value }, AT);
  expect(text).toBe(`Kim changed ${what} a minute ago`);
});

it('the message about a conflicting change says “Someone else” if the user is unknown', () => {
  const change = { by: null, at: null, field: 'minimum_payout_cents', value: 5_000 };
  expect(conflictText(change, AT, () => '$50.00')).toBe('Someone else changed Minimum payout to $50.00');
});
