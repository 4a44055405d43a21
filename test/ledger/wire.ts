import type { Settings, Terms } from '#test/ledger/state.ts';

// Converts the ledger's terms to the fields of requests.

export const termsBody = (terms: Terms) => ({
  commission_type: terms.type,
  commission_rate: terms.rate,
  duration_months: terms.months,
  hold_period_days: terms.holdDays,
  lead_commission_cents: terms.leadCents,
  tiers: terms.tiers.map(({ from, rate }) => ({ from_sales: from, rate })),
});

const names: Readonly<Record<Exclude<keyof Settings, 'holdsSelfReferral' | 'isSandbox'>, string>> = {
  currency: 'currency',
  commissionBase: 'commission_base',
  codePrecedence: 'code_precedence',
  termsApply: 'terms_apply',
  windowDays: 'attribution_window_days',
  autoApprove: 'auto_approve',
  minimumCents: 'minimum_payout_cents',
};

export const settingsBody = (settings: Partial<Settings>) =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name in names)
      .map(([name, value]) => [names[name as keyof typeof names], value]),
  );
