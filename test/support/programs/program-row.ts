import { NOW } from '#test/support/callers/request.ts';

/** What each rule does in a new program. */
export const ruleDefaults = {
  self_referral: 'flag',
  same_domain: 'off',
  disposable_email: 'off',
  paid_ad: 'off',
  banned_referrer: 'off',
  velocity: 'off',
  address_only: 'flag',
};

/** The reply for a new program that pays 20 percent, except for its names, its site and its key. */
export const newProgramRow = {
  status: 'active',
  sandbox: false,
  commission_type: 'percent',
  commission_rate: 20,
  duration_months: null,
  currency: 'USD',
  commission_base: 'gross',
  code_precedence: 'link_first',
  attribution_window_days: 60,
  lead_auth: 'server_required',
  hold_period_days: 15,
  auto_approve: true,
  terms_apply: 'current',
  member_approval_cents: null,
  minimum_payout_cents: 0,
  lead_commission_cents: 0,
  tiers: [],
  join: 'closed',
  links_per_partner: 5,
  partner_terms: null,
  partner_terms_version: null,
  payout_days: [],
  statement_note: null,
  share_customer_emails: false,
  rules: ruleDefaults,
  banned_referrers: [],
  paid_ad_allowed_campaigns: [],
  velocity_clicks: 100,
  shared_click_payers: 5,
  ignored_addresses: [],
  processor: { connected: false, mode: null },
  created_at: NOW.toISOString(),
  updated_at: NOW.toISOString(),
};
