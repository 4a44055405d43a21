import { type RuleName, ruleActionTexts, ruleTexts } from '#lib/apps/dashboard/rules/rule-texts.ts';
import { settingChoices } from '#lib/apps/dashboard/program/setting-choices.ts';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { SettingName } from '#lib/wire/programs/settings/program-settings-request.ts';

/** The label of each setting, which is the same as on the settings page. */
export const settingLabels: Readonly<Record<Exclude<SettingName, 'rules' | 'status' | 'sandbox'>, string>> = {
  name: 'Name',
  domain: 'Site',
  allowed_origins: 'Allowed origins',
  attribution_window_days: 'Attribution window',
  lead_auth: 'Signups from the browser',
  code_precedence: 'Payments with a coupon code',
  commission_type: 'Commission',
  commission_rate: 'Rate',
  commission_base: 'Percentage of',
  currency: 'Currency',
  duration_months: 'Renewals count for',
  lead_commission_cents: 'Per signup',
  tiers: 'Higher rates',
  terms_apply: 'Renewals are paid by',
  hold_period_days: 'Hold',
  auto_approve: 'Approve by itself when the hold is over',
  minimum_payout_cents: 'Minimum payout',
  payout_days: 'Payout days',
  statement_note: 'Note on statements',
  member_approval_cents: 'Members approve up to',
  join: 'Who becomes a partner',
  partner_terms: 'Terms for partners',
  links_per_partner: 'Links that a partner may make',
  share_customer_emails: 'Show partners the addresses of their customers, masked',
  banned_referrers: 'Banned sites',
  paid_ad_allowed_campaigns: 'Campaigns that are allowed',
  velocity_clicks: 'Networks in a minute',
  shared_click_payers: 'People who may pay with one click',
  ignored_addresses: 'Ignored addresses',
};

/** Labels of fields that are not settings of a program. */
const otherLabels: Readonly<Record<string, string>> = {
  display_name: 'Name',
  accent_color: 'Color',
  contact_email: 'Contact',
  email: 'E-mail',
  partner_id: 'Partner',
  group_id: 'Group',
  destination_url: 'Leads to',
  masked: 'Details',
  url: 'Address',
  through: 'Last day of sales (UTC)',
  except_partners: 'Partners left out',
  only_with_details: 'Only partners with payout details',
  wished_code: 'Coupon code',
};

/** The label of a setting, a rule or another field; undefined for a field that no page shows. */
export const settingLabel = (field: string): string | undefined =>
  (settingLabels as Readonly<Record<string, string>>)[field] ??
  ruleTexts[field as RuleName]?.title ??
  otherLabels[field];

const settingNames = Object.keys(settingLabels);

/** Sorts fields for display: the status, then fields that are no settings by name, then settings as on their page. */
export const byPlace = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);

const placeOf = (field: string): number => (field === 'status' ? -2 : settingNames.indexOf(field));

/** The words for the value of a setting that is chosen from a list; undefined for other fields and values. */
export function choiceText(field: string, value: unknown): string | undefined {
  const options: readonly Option[] =
    field in ruleTexts ? ruleActionTexts : (settingChoices[field as keyof typeof settingChoices] ?? []);
  return options.find(([option]) => option === value)?.[1];
}

/** The unit of a setting that is a number and not an amount. */
export function unitOf(field: string): string {
  if (field.endsWith('_days') && field !== 'payout_days') return ' days';
  return field.endsWith('_months') ? ' months' : '';
}
