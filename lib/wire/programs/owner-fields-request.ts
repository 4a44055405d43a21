/**
 * Settings of a program that decide what is paid, and to whom. Only owners change them, and tools with a scope of its own.
 * Everything else members change, too. The dashboard's pages take its names as a type.
 */
export const ownerFields = [
  'commission_type',
  'commission_rate',
  'duration_months',
  'lead_commission_cents',
  'tiers',
  'currency',
  'commission_base',
  'terms_apply',
  'hold_period_days',
  'auto_approve',
  'member_approval_cents',
  'minimum_payout_cents',
  'attribution_window_days',
  'lead_auth',
  'code_precedence',
  'rules',
  'banned_referrers',
  'paid_ad_allowed_campaigns',
  'velocity_clicks',
  'shared_click_payers',
  'ignored_addresses',
] as const;
export type OwnerField = (typeof ownerFields)[number];
