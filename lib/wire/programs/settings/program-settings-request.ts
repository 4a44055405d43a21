import * as z from 'zod/mini';
import { codePrecedences } from '#lib/service/programs/links/code.ts';
import { rateOf } from '#lib/service/programs/terms/commission-amount.ts';
import { commissionBases, DEFAULT_COMMISSION_BASE } from '#lib/service/programs/terms/commission-base.ts';
import { addressRangeOf } from '#lib/service/ground/addresses/address-range.ts';
import { hostOf, referrerPatternOf } from '#lib/service/ground/addresses/origin.ts';
import {
  DEFAULT_LINKS_PER_PARTNER,
  joinPolicies,
  leadPolicies,
  LONGEST_PARTNER_TERMS,
  LONGEST_STATEMENT_NOTE,
  MOST_APPROVAL_CENTS,
  MOST_LINKS_PER_PARTNER,
  MOST_MINIMUM_CENTS,
  PAYOUT_DAYS,
  type Program,
  programStatuses,
} from '#lib/service/programs/program/program.ts';
import {
  MOST_AD_CAMPAIGNS,
  MOST_BANNED_REFERRERS,
  MOST_IGNORED_ADDRESSES,
  ruleActions,
  ruleNames,
  SHARED_CLICK_PAYERS,
  VELOCITY_CLICKS,
} from '#lib/service/programs/terms/rules.ts';
import { commissionTypes, MOST_LEAD_CENTS, MOST_TIERS, termsApplications } from '#lib/service/programs/terms/terms.ts';
import { integer } from '#lib/wire/programs/bounds-request.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';
import { chosenFrom, longText, nameField, readAs } from '#lib/wire/words/fields-request.ts';

/** A setting of a program. Requests, replies, storage, refusals and the document derive from its row below. */
export interface Setting<Sent extends z.ZodMiniType = z.ZodMiniType> {
  /** The property of a program that stores the setting. Set explicitly to undefined if it is stored elsewhere. */
  readonly of: keyof Program | undefined;
  /** Who may change the setting. If the setting decides what is paid, only owners may. */
  readonly by: 'owner' | 'member';
  /** Set if agents may change the setting. If only owners may change it, an agent's key needs one more scope for it. */
  readonly agents?: true;
  /** The schema in a request. Null and a missing field change nothing. */
  readonly sent: Sent;
  /** The message for a wrong value; not needed with `values`. */
  readonly text?: string;
  /** The values that a request can choose from. */
  readonly values?: readonly string[];
  /** The value for a program that stores none. */
  readonly absent?: unknown;
  /** Whether a caller can remove the value by sending null. */
  readonly isClearable?: true;
}

const whole = <const Rest extends Omit<Setting, 'sent' | 'text' | 'values'>>(
  name: string,
  bounds: { readonly minimum: number; readonly maximum: number },
  rest: Rest,
) => {
  const text = `${name} must be an integer from ${bounds.minimum} to ${bounds.maximum}`;
  return { ...rest, text, sent: integer(bounds, text) };
};

const choice = <const Values extends readonly string[], const Rest extends Omit<Setting, 'sent' | 'text' | 'values'>>(
  name: string,
  values: Values,
  rest: Rest,
) => ({ ...rest, values, sent: chosenFrom(name, values) });

const flag = <const Rest extends Omit<Setting, 'sent' | 'text' | 'values'>>(name: string, rest: Rest) => {
  const text = `${name} must be a boolean`;
  return { ...rest, text, sent: z.boolean(text) };
};

/**
 * A list whose entries are parsed one by one, without duplicates.
 * @param read returns undefined for an invalid entry
 */
const list = <const Rest extends Omit<Setting, 'sent' | 'text' | 'values'>>(
  text: string,
  most: number,
  read: (sent: string) => string | undefined,
  rest: Rest,
) => ({
  ...rest,
  text,
  absent: [],
  sent: readAs(
    z.array(z.string(text), text).check(z.maxLength(most, text)),
    (sent) => {
      const entries = sent.map(read);
      return entries.every((entry) => entry !== undefined) ? [...new Set(entries)] : undefined;
    },
    text,
  ),
});

/** The highest commission rate, in percent. */
export const HIGHEST_PERCENT = 100;
export const MOST_ORIGINS = 20;

const texts = {
  domain: 'domain must be a host name such as example.com',
  origins: `allowed_origins must be a list of up to ${MOST_ORIGINS} origins such as https://app.example.com`,
  tiers: `tiers must be a list of up to ${MOST_TIERS} steps {from_sales, rate} with rising from_sales`,
  partnerTerms: `partner_terms must be a string of at most ${LONGEST_PARTNER_TERMS} characters`,
  statementNote: `statement_note must be a string of at most ${LONGEST_STATEMENT_NOTE} characters`,
  payoutDays: `payout_days must be a list of up to ${PAYOUT_DAYS.most} days of the month from 1 to ${PAYOUT_DAYS.last}`,
  rules: 'rules must be an object such as {"velocity": "hold"}',
};

const tier = z.object({
  from_sales: integer({ minimum: 1 }, texts.tiers),
  rate: readAs(z.number(texts.tiers), (sent) => (sent <= HIGHEST_PERCENT ? rateOf(sent) : undefined), texts.tiers),
});
const tiers = z.array(z.object(tier.shape, texts.tiers), texts.tiers).check(
  z.maxLength(MOST_TIERS, texts.tiers),
  z.refine((steps) => steps.every((step, at) => at === 0 || step.from_sales > steps[at - 1]!.from_sales), texts.tiers),
);

/** The payout days, without duplicates and in order. */
const payoutDays = readAs(
  z
    .array(integer({ minimum: 1, maximum: PAYOUT_DAYS.last }, texts.payoutDays), texts.payoutDays)
    .check(z.maxLength(PAYOUT_DAYS.most, texts.payoutDays)),
  (days) => (new Set(days).size === days.length ? days.toSorted((a, b) => a - b) : undefined),
  texts.payoutDays,
);

const LONGEST_CAMPAIGN = 200;
/** Trims the name of a campaign. Names that differ only in upper and lower case are different. */
const campaignOf = (sent: string): string | undefined =>
  sent.length <= LONGEST_CAMPAIGN && sent.trim() !== '' ? sent.trim().toWellFormed() : undefined;

const rules = z.object(
  Object.fromEntries(ruleNames.map((name) => [name, z.nullish(chosenFrom(name, ruleActions))])),
  texts.rules,
);

/** Every setting, in the order in which wrong fields are reported. */
export const settings = {
  name: { of: 'name', by: 'member', agents: true, sent: nameField, text: fieldTexts.name },
  domain: {
    of: 'domain',
    by: 'member',
    agents: true,
    sent: readAs(z.string(texts.domain), hostOf, texts.domain),
    text: texts.domain,
  },
  status: choice('status', programStatuses, { of: 'status', by: 'member' }),
  commission_type: choice('commission_type', commissionTypes, { of: 'commissionType', by: 'owner', agents: true }),
  commission_rate: {
    of: 'commissionRate',
    by: 'owner',
    agents: true,
    sent: readAs(z.number(fieldTexts.rate), rateOf, fieldTexts.rate),
    text: fieldTexts.rate,
  },
  duration_months: whole(
    'duration_months',
    { minimum: 0, maximum: 120 },
    { of: 'durationMonths', by: 'owner', agents: true },
  ),
  attribution_window_days: whole(
    'attribution_window_days',
    { minimum: 1, maximum: 365 },
    { of: 'attributionWindowDays', by: 'owner', agents: true },
  ),
  lead_auth: choice('lead_auth', leadPolicies, { of: 'leadAuth', by: 'owner', agents: true }),
  /** This setting is checked later, by the action, because it depends on the program's present origins. */
  allowed_origins: {
    of: 'allowedOrigins',
    by: 'member',
    agents: true,
    sent: z.array(z.string(texts.origins), texts.origins).check(z.maxLength(MOST_ORIGINS, texts.origins)),
    text: texts.origins,
  },
  hold_period_days: whole('hold_period_days', { minimum: 0, maximum: 90 }, { of: 'holdPeriodDays', by: 'owner' }),
  auto_approve: flag('auto_approve', { of: 'autoApprove', by: 'owner' }),
  member_approval_cents: whole(
    'member_approval_cents',
    { minimum: 0, maximum: MOST_APPROVAL_CENTS },
    { of: 'memberApprovalCents', by: 'owner', absent: null, isClearable: true },
  ),
  commission_base: choice('commission_base', commissionBases, {
    of: 'commissionBase',
    by: 'owner',
    agents: true,
    absent: DEFAULT_COMMISSION_BASE,
  }),
  code_precedence: choice('code_precedence', codePrecedences, {
    of: 'codePrecedence',
    by: 'owner',
    agents: true,
    absent: 'link_first',
  }),
  terms_apply: choice('terms_apply', termsApplications, {
    of: 'termsApply',
    by: 'owner',
    agents: true,
    absent: 'current',
  }),
  minimum_payout_cents: whole(
    'minimum_payout_cents',
    { minimum: 0, maximum: MOST_MINIMUM_CENTS },
    { of: 'minimumPayoutCents', by: 'owner', agents: true, absent: 0 },
  ),
  lead_commission_cents: whole(
    'lead_commission_cents',
    { minimum: 0, maximum: MOST_LEAD_CENTS },
    { of: 'leadCommissionCents', by: 'owner', agents: true, absent: 0 },
  ),
  tiers: { of: 'tiers', by: 'owner', agents: true, sent: tiers, text: texts.tiers, absent: [] },
  join: choice('join', joinPolicies, { of: 'join', by: 'member', absent: 'closed' }),
  links_per_partner: whole(
    'links_per_partner',
    { minimum: 0, maximum: MOST_LINKS_PER_PARTNER },
    { of: 'linksPerPartner', by: 'member', absent: DEFAULT_LINKS_PER_PARTNER },
  ),
  /** The text itself is stored in a separate item under its version number. */
  partner_terms: {
    of: undefined,
    by: 'member',
    sent: longText(LONGEST_PARTNER_TERMS, texts.partnerTerms),
    text: texts.partnerTerms,
  },
  payout_days: { of: 'payoutDays', by: 'owner', sent: payoutDays, text: texts.payoutDays, absent: [] },
  statement_note: {
    of: 'statementNote',
    by: 'owner',
    // An empty note means that there is none.
    sent: z.pipe(
      longText(LONGEST_STATEMENT_NOTE, texts.statementNote),
      z.transform((note: string) => note || null),
    ),
    text: texts.statementNote,
    absent: null,
  },
  share_customer_emails: flag('share_customer_emails', { of: 'shareCustomerEmails', by: 'member', absent: false }),
  rules: { of: 'rules', by: 'owner', sent: rules, text: texts.rules },
  banned_referrers: list(
    `banned_referrers must be a list of up to ${MOST_BANNED_REFERRERS} hosts`,
    MOST_BANNED_REFERRERS,
    referrerPatternOf,
    { of: 'bannedReferrers', by: 'owner' },
  ),
  paid_ad_allowed_campaigns: list(
    `paid_ad_allowed_campaigns must be a list of up to ${MOST_AD_CAMPAIGNS} values`,
    MOST_AD_CAMPAIGNS,
    campaignOf,
    { of: 'paidAdAllowedCampaigns', by: 'owner' },
  ),
  velocity_clicks: whole('velocity_clicks', VELOCITY_CLICKS, {
    of: 'velocityClicks',
    by: 'owner',
    absent: VELOCITY_CLICKS.default,
  }),
  shared_click_payers: whole('shared_click_payers', SHARED_CLICK_PAYERS, {
    of: 'sharedClickPayers',
    by: 'owner',
    absent: SHARED_CLICK_PAYERS.default,
  }),
  ignored_addresses: list(
    `ignored_addresses must be a list of up to ${MOST_IGNORED_ADDRESSES} addresses or CIDR ranges`,
    MOST_IGNORED_ADDRESSES,
    addressRangeOf,
    { of: 'ignoredAddresses', by: 'owner' },
  ),
  sandbox: flag('sandbox', { of: 'isSandbox', by: 'member', absent: false }),
  // The allowed values are the currencies of the installation, so they are checked elsewhere.
  currency: { of: 'currency', by: 'owner', agents: true, sent: z.unknown() },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** Settings that only owners may change. */
export type OwnerField = {
  [Name in SettingName]: (typeof settings)[Name]['by'] extends 'owner' ? Name : never;
}[SettingName];
