import { expect, it } from 'vitest';
import { previewText } from '#lib/apps/dashboard/rules/preview-text.ts';
import type { RulesPreview } from '#lib/wire/programs/rules-preview.ts';

const none = { action: 'off', commissions: 0, amounts: {} } as const;
const preview: RulesPreview = {
  rules: {
    self_referral: { action: 'flag', commissions: 1, amounts: { USD: 980 } },
    same_domain: none,
    disposable_email: none,
    paid_ad: { action: 'off', commissions: 1_200, amounts: { USD: 123_456, EUR: 4_000 } },
    banned_referrer: none,
    velocity: none,
    address_only: none,
  },
  complete: true,
};

it.each([
  ['self_referral', 'Of the commissions of the last 30 days it fits 1: $9.80.'],
  ['paid_ad', 'Of the commissions of the last 30 days it fits 1,200: €40.00 and $1,234.56.'],
  ['velocity', 'Of the commissions of the last 30 days it fits none.'],
] as const)(
  'the preview of a hold rule says how many commissions the rule %s matches, and their amount: %s',
  (rule, text) => {
    expect(previewText(preview, rule)).toBe(text);
  },
);

it('the preview of a hold rule says if only the newest 1,000 commissions were checked', () => {
  expect(previewText({ ...preview, complete: false }, 'same_domain')).toBe(
    'Of the newest 1,000 commissions of the last 30 days it fits none.',
  );
});
