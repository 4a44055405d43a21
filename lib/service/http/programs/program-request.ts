import * as z from 'zod/mini';
import { type Currencies, type Currency } from '#lib/service/ground/values/currency.ts';
import { originPatternOf } from '#lib/service/ground/addresses/origin.ts';
import { coversPublicSuffix } from '#lib/service/ground/addresses/public-suffix.ts';
import { badRequest, missingFields } from '#lib/service/ground/values/refusals.ts';
import type { Values } from '#lib/service/ground/changes/seen.ts';
import type { Rules } from '#lib/service/programs/terms/rules.ts';
import type { CommissionType, Tier } from '#lib/service/programs/terms/terms.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { seenIn } from '#lib/service/http/messages/seen-request.ts';
import { checkPercent, checkTiers, tiersOf } from '#lib/service/http/programs/terms-request.ts';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';
import { REQUIRED_FIELDS } from '#lib/wire/words/field-texts-request.ts';
import { readAs } from '#lib/wire/words/fields-request.ts';
import { currencyField, programFields, programTexts } from '#lib/wire/programs/program-request.ts';

/**
 * Every origin in its canonical spelling, once; undefined when one of them is invalid, or would newly cover a public
 * suffix.
 */
function originsOf(sent: readonly string[], held: readonly string[]): string[] | undefined {
  const patterns = sent.map(originPatternOf);
  if (!patterns.every((pattern) => pattern !== undefined)) return undefined;
  const added = patterns.filter((pattern) => !held.includes(pattern));
  return added.some(coversPublicSuffix) ? undefined : [...new Set(patterns)];
}

// In the order in which the first wrong field is reported; the cap on percent types comes between the two.
const UpToRate = z.object({
  name: z.optional(programFields.name),
  domain: z.optional(programFields.domain),
  status: z.optional(programFields.status),
  commission_type: z.optional(programFields.commission_type),
  commission_rate: z.optional(programFields.commission_rate),
});

/** @param present whose origins and currency may be saved again, and stay */
const afterRate = (currencies: Currencies, present: Present | undefined) =>
  z.object({
    duration_months: z.optional(programFields.duration_months),
    attribution_window_days: z.optional(programFields.attribution_window_days),
    lead_auth: z.optional(programFields.lead_auth),
    allowed_origins: z.optional(
      readAs(
        programFields.allowed_origins,
        (sent) => originsOf(sent, present?.allowedOrigins ?? []),
        programTexts.origins,
      ),
    ),
    hold_period_days: z.optional(programFields.hold_period_days),
    auto_approve: z.optional(programFields.auto_approve),
    member_approval_cents: z.nullish(programFields.member_approval_cents),
    currency: z.optional(currencyField(currencies, present && present.currency)),
    commission_base: z.optional(programFields.commission_base),
    code_precedence: z.optional(programFields.code_precedence),
    terms_apply: z.optional(programFields.terms_apply),
    minimum_payout_cents: z.optional(programFields.minimum_payout_cents),
    lead_commission_cents: z.optional(programFields.lead_commission_cents),
    tiers: z.optional(programFields.tiers),
    join: z.optional(programFields.join),
    links_per_partner: z.optional(programFields.links_per_partner),
    partner_terms: z.optional(programFields.partner_terms),
    share_customer_emails: z.optional(programFields.share_customer_emails),
    rules: z.optional(programFields.rules),
    banned_referrers: z.optional(programFields.banned_referrers),
    paid_ad_allowed_campaigns: z.optional(programFields.paid_ad_allowed_campaigns),
    velocity_clicks: z.optional(programFields.velocity_clicks),
    shared_click_payers: z.optional(programFields.shared_click_payers),
    ignored_addresses: z.optional(programFields.ignored_addresses),
    sandbox: z.optional(programFields.sandbox),
  });

/** Settings of which null takes the value away. */
export const CLEARABLE_SETTINGS = ['member_approval_cents'];

interface Present {
  readonly commissionType?: CommissionType;
  readonly commissionRate?: number;
  readonly allowedOrigins?: readonly string[];
  readonly currency?: Currency;
  readonly tiers?: readonly Tier[];
  readonly rules?: Partial<Rules>;
  readonly isSandbox?: boolean;
}

/** Rules that are not sent stay. */
function changedRules(present: Partial<Rules> | undefined, sent: object): Partial<Rules> | undefined {
  const changed = Object.entries(sent).filter(([, action]) => typeof action === 'string');
  return changed.length === 0 ? undefined : { ...present, ...Object.fromEntries(changed) };
}

/**
 * The fields of a program that were sent.
 * @param currencies of the installation
 * @param present the program as it is: its commission policy, for the cap on percent types, its origins and its currency
 * @throws Refusal
 */
export function programChange(json: Json, currencies: Currencies, present?: Present): Partial<NewProgram> {
  const first = parseBody(UpToRate, json);
  const { commission_type: type = present?.commissionType, commission_rate: rate = present?.commissionRate } = first;
  // CLI init knows no cap: a program above it may still change everything else.
  const changesPolicy = first.commission_type !== undefined || first.commission_rate !== undefined;
  if (changesPolicy) checkPercent(type, rate);
  const rest = parseBody(afterRate(currencies, present), json);
  if (present && rest.sandbox === !(present.isSandbox ?? false)) throw badRequest(programTexts.sandboxStays);
  const tiers = rest.tiers && tiersOf(rest.tiers);
  checkTiers(type, tiers ?? present?.tiers);
  const changed = withoutUndefined({
    name: first.name,
    domain: first.domain,
    status: first.status,
    commissionType: first.commission_type,
    commissionRate: first.commission_rate,
    durationMonths: rest.duration_months,
    attributionWindowDays: rest.attribution_window_days,
    leadAuth: rest.lead_auth,
    allowedOrigins: rest.allowed_origins,
    holdPeriodDays: rest.hold_period_days,
    autoApprove: rest.auto_approve,
    memberApprovalCents: rest.member_approval_cents ?? undefined,
    currency: rest.currency,
    commissionBase: rest.commission_base,
    codePrecedence: rest.code_precedence,
    termsApply: rest.terms_apply,
    minimumPayoutCents: rest.minimum_payout_cents,
    leadCommissionCents: rest.lead_commission_cents,
    tiers,
    join: rest.join,
    linksPerPartner: rest.links_per_partner,
    partnerTerms: rest.partner_terms,
    shareCustomerEmails: rest.share_customer_emails,
    rules: rest.rules && changedRules(present?.rules, rest.rules),
    bannedReferrers: rest.banned_referrers,
    paidAdAllowedCampaigns: rest.paid_ad_allowed_campaigns,
    velocityClicks: rest.velocity_clicks,
    sharedClickPayers: rest.shared_click_payers,
    ignoredAddresses: rest.ignored_addresses,
    isSandbox: present ? undefined : rest.sandbox,
  });
  return rest.member_approval_cents === null ? { ...changed, memberApprovalCents: undefined } : changed;
}

const PROGRAM_FIELDS = [...Object.keys(programFields), 'currency'];

const AGENT_FIELDS = [
  'name',
  'domain',
  'commission_type',
  'commission_rate',
  'duration_months',
  'attribution_window_days',
  'lead_auth',
  'allowed_origins',
  'currency',
  'commission_base',
  'code_precedence',
  'terms_apply',
  'minimum_payout_cents',
  'lead_commission_cents',
  'tiers',
] as const;

/** What the caller saw of the fields that it changes. @throws Refusal */
export const seenProgram = (json: Json): Values | undefined => seenIn(json, PROGRAM_FIELDS);

/** The same of an agent. @throws Refusal */
export const seenByAgent = (json: Json): Values | undefined => seenIn(json, AGENT_FIELDS);

/** The fields that an agent may change; others are ignored like unknown ones. @throws Refusal */
export const agentProgramChange = (json: Json, currencies: Currencies, present: Present): Partial<NewProgram> =>
  programChange(Object.fromEntries(AGENT_FIELDS.map((field) => [field, json[field]])), currencies, present);

/** The fields of a new program. @throws Refusal */
export function newProgram(json: Json, currencies: Currencies): NewProgram {
  if (REQUIRED_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_FIELDS);
  return programChange(json, currencies) as NewProgram;
}

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
