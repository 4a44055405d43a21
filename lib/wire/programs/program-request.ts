import * as z from 'zod/mini';
import { codePrecedences } from '#lib/service/programs/links/code.ts';
import { rateOf } from '#lib/service/earnings/commissions/commission.ts';
import { commissionBases } from '#lib/service/programs/terms/commission-base.ts';
import { type Currencies, type Currency, currencyCode } from '#lib/service/ground/values/currency.ts';
import { addressRangeOf } from '#lib/service/ground/addresses/address-range.ts';
import { hostOf, referrerPatternOf } from '#lib/service/ground/addresses/origin.ts';
import {
  joinPolicies,
  leadPolicies,
  LONGEST_PARTNER_TERMS,
  MOST_APPROVAL_CENTS,
  MOST_LINKS_PER_PARTNER,
  MOST_MINIMUM_CENTS,
  programStatuses,
} from '#lib/service/programs/program/program.ts';
import { notOneOfText } from '#lib/service/ground/values/refusals.ts';
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

export const MOST_ORIGINS = 20;

/** Bounds of the fields that are whole numbers, both included. */
const integers = {
  duration_months: { minimum: 0, maximum: 120 },
  attribution_window_days: { minimum: 1, maximum: 365 },
  hold_period_days: { minimum: 0, maximum: 90 },
  minimum_payout_cents: { minimum: 0, maximum: MOST_MINIMUM_CENTS },
  member_approval_cents: { minimum: 0, maximum: MOST_APPROVAL_CENTS },
  lead_commission_cents: { minimum: 0, maximum: MOST_LEAD_CENTS },
  links_per_partner: { minimum: 0, maximum: MOST_LINKS_PER_PARTNER },
  velocity_clicks: VELOCITY_CLICKS,
  shared_click_payers: SHARED_CLICK_PAYERS,
} as const;
type IntegerField = keyof typeof integers;

const integerText = (field: IntegerField) =>
  `${field} must be an integer from ${integers[field].minimum} to ${integers[field].maximum}`;
const integerField = (field: IntegerField) => integer(integers[field], integerText(field));

/** Messages for the first wrong field. */
export const programTexts = {
  name: fieldTexts.name,
  domain: 'domain must be a host name such as example.com',
  rate: fieldTexts.rate,
  percent: 'commission_rate must be at most 100 for percent types',
  origins: `allowed_origins must be a list of up to ${MOST_ORIGINS} origins such as https://app.example.com`,
  autoApprove: 'auto_approve must be a boolean',
  durationMonths: integerText('duration_months'),
  tiers: `tiers must be a list of up to ${MOST_TIERS} steps {from_sales, rate} with rising from_sales`,
  tiersOfFixed: 'tiers need a percent type',
  attributionWindowDays: integerText('attribution_window_days'),
  holdPeriodDays: integerText('hold_period_days'),
  minimumPayout: integerText('minimum_payout_cents'),
  memberApproval: integerText('member_approval_cents'),
  leadCommission: integerText('lead_commission_cents'),
  linksPerPartner: integerText('links_per_partner'),
  partnerTerms: `partner_terms must be a string of at most ${LONGEST_PARTNER_TERMS} characters`,
  shareCustomerEmails: 'share_customer_emails must be a boolean',
  rules: 'rules must be an object such as {"velocity": "hold"}',
  bannedReferrers: `banned_referrers must be a list of up to ${MOST_BANNED_REFERRERS} hosts`,
  paidAdAllowedCampaigns: `paid_ad_allowed_campaigns must be a list of up to ${MOST_AD_CAMPAIGNS} values`,
  velocityClicks: integerText('velocity_clicks'),
  sharedClickPayers: integerText('shared_click_payers'),
  sandbox: 'sandbox must be a boolean',
  sandboxStays: 'sandbox cannot be changed',
  ignoredAddresses: `ignored_addresses must be a list of up to ${MOST_IGNORED_ADDRESSES} addresses or CIDR ranges`,
};

/** A rate of percent types. */
export const HIGHEST_PERCENT = 100;

const tier = z.object({
  from_sales: integer({ minimum: 1 }, programTexts.tiers),
  rate: readAs(
    z.number(programTexts.tiers),
    (sent) => (sent <= HIGHEST_PERCENT ? rateOf(sent) : undefined),
    programTexts.tiers,
  ),
});
const tiersField = z.array(z.object(tier.shape, programTexts.tiers), programTexts.tiers).check(
  z.maxLength(MOST_TIERS, programTexts.tiers),
  z.refine(
    (steps) => steps.every((step, at) => at === 0 || step.from_sales > steps[at - 1]!.from_sales),
    programTexts.tiers,
  ),
);

/** A list whose entries are read one by one, each kept once. @param read undefined = invalid */
const listField = (most: number, read: (sent: string) => string | undefined, text: string) =>
  readAs(
    z.array(z.string(text), text).check(z.maxLength(most, text)),
    (sent) => {
      const entries = sent.map(read);
      return entries.every((entry) => entry !== undefined) ? [...new Set(entries)] : undefined;
    },
    text,
  );

const LONGEST_CAMPAIGN = 200;
/** As it stands in an address: spaces around it are none of it, and its case counts. */
const campaignOf = (sent: string): string | undefined =>
  sent.length <= LONGEST_CAMPAIGN && sent.trim() !== '' ? sent.trim().toWellFormed() : undefined;

const rulesField = z.object(
  Object.fromEntries(ruleNames.map((name) => [name, z.nullish(chosenFrom(name, ruleActions))])),
  programTexts.rules,
);

export const programFields = {
  name: nameField,
  domain: readAs(z.string(programTexts.domain), hostOf, programTexts.domain),
  status: chosenFrom('status', programStatuses),
  commission_type: chosenFrom('commission_type', commissionTypes),
  commission_rate: readAs(z.number(programTexts.rate), rateOf, programTexts.rate),
  duration_months: integerField('duration_months'),
  attribution_window_days: integerField('attribution_window_days'),
  lead_auth: chosenFrom('lead_auth', leadPolicies),
  /** As sent: which origins may be added depends on the program. */
  allowed_origins: z
    .array(z.string(programTexts.origins), programTexts.origins)
    .check(z.maxLength(MOST_ORIGINS, programTexts.origins)),
  hold_period_days: integerField('hold_period_days'),
  auto_approve: z.boolean(programTexts.autoApprove),
  commission_base: chosenFrom('commission_base', commissionBases),
  code_precedence: chosenFrom('code_precedence', codePrecedences),
  terms_apply: chosenFrom('terms_apply', termsApplications),
  minimum_payout_cents: integerField('minimum_payout_cents'),
  member_approval_cents: integerField('member_approval_cents'),
  lead_commission_cents: integerField('lead_commission_cents'),
  tiers: tiersField,
  join: chosenFrom('join', joinPolicies),
  links_per_partner: integerField('links_per_partner'),
  partner_terms: longText(LONGEST_PARTNER_TERMS, programTexts.partnerTerms),
  share_customer_emails: z.boolean(programTexts.shareCustomerEmails),
  rules: rulesField,
  banned_referrers: listField(MOST_BANNED_REFERRERS, referrerPatternOf, programTexts.bannedReferrers),
  paid_ad_allowed_campaigns: listField(MOST_AD_CAMPAIGNS, campaignOf, programTexts.paidAdAllowedCampaigns),
  velocity_clicks: integerField('velocity_clicks'),
  shared_click_payers: integerField('shared_click_payers'),
  ignored_addresses: listField(MOST_IGNORED_ADDRESSES, addressRangeOf, programTexts.ignoredAddresses),
  sandbox: z.boolean(programTexts.sandbox),
};

/**
 * One of the installation's currencies, in any case.
 * @param held the program's own, which may have left the list: saved again, it stays
 */
export const currencyField = (currencies: Currencies, held: Currency = currencies[0]) =>
  z.pipe(
    z.transform((sent: unknown) => (typeof sent === 'string' ? currencyCode(sent) : sent)),
    z.enum([...currencies, held], { error: ({ input }) => notOneOfText('currency', input, currencies) }),
  );
