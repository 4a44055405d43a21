import { expect, it } from 'vitest';
import { MOST_CENTS } from '#lib/service/ground/values/money.ts';
import type { RuleName } from '#lib/service/programs/terms/rules.ts';
import { rulesPreviewOf } from '#lib/service/reports/stories/rules-preview.ts';

const tried = (amountCents: number, currency: string, ...fitting: RuleName[]) => ({
  amountCents,
  currency,
  fitting: new Set(fitting),
});
const nothing = { commissions: 0, amounts: {} };

it('the preview of the fraud rules counts matches and sums amounts for each rule, even if the rule is off', () => {
  const program = { rules: { velocity: 'hold', self_referral: 'off' } } as const;
  expect(
    rulesPreviewOf(program, [
      tried(980, 'USD', 'velocity', 'paid_ad'),
      tried(20, 'USD', 'velocity'),
      tried(500, 'EUR', 'velocity', 'self_referral'),
      tried(700, 'USD'),
      tried(0, 'VND', 'same_domain'),
    ]),
  ).toEqual({
    self_referral: { action: 'off', commissions: 1, amounts: { EUR: 500 } },
    same_domain: { action: 'off', commissions: 1, amounts: { VND: 0 } },
    disposable_email: { action: 'off', ...nothing },
    paid_ad: { action: 'off', commissions: 1, amounts: { USD: 980 } },
    banned_referrer: { action: 'off', ...nothing },
    velocity: { action: 'hold', commissions: 3, amounts: { USD: 1_000, EUR: 500 } },
    address_only: { action: 'flag', ...nothing },
  });
});

it('the preview of the fraud rules lists every rule even if the program has no settings', () => {
  expect(rulesPreviewOf({}, [])).toEqual({
    self_referral: { action: 'flag', ...nothing },
    same_domain: { action: 'off', ...nothing },
    disposable_email: { action: 'off', ...nothing },
    paid_ad: { action: 'off', ...nothing },
    banned_referrer: { action: 'off', ...nothing },
    velocity: { action: 'off', ...nothing },
    address_only: { action: 'flag', ...nothing },
  });
});

it('the preview of the fraud rules caps sums at the largest integer that JSON numbers represent exactly', () => {
  const many = Array.from({ length: 10_000 }, () => tried(MOST_CENTS, 'USD', 'velocity'));
  expect(rulesPreviewOf({}, many).velocity.amounts).toEqual({ USD: Number.MAX_SAFE_INTEGER });
});
