import * as z from 'zod/mini';
import { codePrecedences } from '#lib/service/programs/links/code.ts';
import { commissionBases } from '#lib/service/programs/terms/commission-base.ts';
import { joinPolicies, leadPolicies, programStatuses } from '#lib/service/programs/program/program.ts';
import { badRequest, leadCommissionsNeedServer, missingFields, notOneOf } from '#lib/service/ground/values/refusals.ts';
import {
  MOST_AD_CAMPAIGNS,
  MOST_BANNED_REFERRERS,
  MOST_IGNORED_ADDRESSES,
  ruleActions,
  ruleNames,
} from '#lib/service/programs/terms/rules.ts';
import { commissionTypes, MOST_TIERS, termsApplications } from '#lib/service/programs/terms/terms.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { about, CommissionType, currency, named, rate, text } from '#lib/wire/words/fields.ts';
import { CodePrecedence, CommissionBase, Join, LeadAuth } from '#lib/wire/programs/program.ts';
import { HIGHEST_PERCENT, MOST_ORIGINS, programFields, programTexts } from '#lib/wire/programs/program-request.ts';
import { ownerFields } from '#lib/wire/programs/owner-fields-request.ts';
import { seen } from '#lib/wire/words/seen-request.ts';
import { REQUIRED_OF_TERMS, TERMS_INVALID } from '#lib/wire/programs/terms-request.ts';

const sentTiers = z
  .array(z.object({ from_sales: z.int().check(z.gte(1)), rate: z.number().check(z.gt(0), z.lte(HIGHEST_PERCENT)) }))
  .check(z.maxLength(MOST_TIERS));
const tiers = about('Of percent types only.', z.nullish(sentTiers));

const change = {
  name: z.nullish(programFields.name),
  domain: about('A host name, with a port where needed.', z.nullish(text)),
  commission_type: z.nullish(CommissionType),
  commission_rate: z.nullish(rate),
  duration_months: about('0 = lifetime.', z.nullish(programFields.duration_months)),
  attribution_window_days: z.nullish(programFields.attribution_window_days),
  lead_auth: z.nullish(LeadAuth),
  allowed_origins: about(
    'Origins whose pages may send clicks and leads, such as `https://app.example.com` or `https://*.example.com`. A wildcard directly below a public suffix, such as `https://*.com`, is refused.',
    z.nullish(z.array(text).check(z.maxLength(MOST_ORIGINS))),
  ),
  currency: about(
    "One of the installation's currencies: of fixed commissions. Commissions that exist keep theirs.",
    z.nullish(currency),
  ),
  commission_base: z.nullish(CommissionBase),
  code_precedence: z.nullish(CodePrecedence),
  terms_apply: about(
    'Whether renewals are paid by the terms of their time, or by those of the first sale.',
    z.nullish(programFields.terms_apply),
  ),
  minimum_payout_cents: about(
    "What is due to a partner in the program's currency waits until it is this much.",
    z.nullish(programFields.minimum_payout_cents),
  ),
  lead_commission_cents: z.nullish(programFields.lead_commission_cents),
  tiers,
};

/** Fields of a program that may change. */
const ProgramChange = z.object({
  ...change,
  join: z.nullish(Join),
  links_per_partner: about(
    'How many links partners may make themselves. The brand is not bound by it.',
    z.nullish(programFields.links_per_partner),
  ),
  partner_terms: about(
    'What partners have to accept; every change is a version. Empty: there are none.',
    z.nullish(programFields.partner_terms),
  ),
  share_customer_emails: about(
    'Whether partners see the masked addresses of their customers, or none.',
    z.nullish(programFields.share_customer_emails),
  ),
  rules: about('Those that are not sent stay.', z.nullish(z.partialRecord(z.enum(ruleNames), z.enum(ruleActions)))),
  banned_referrers: about(
    'Hosts for the rule `banned_referrer`; `*.x` is every host below `x`, not `x`.',
    z.nullish(z.array(text).check(z.maxLength(MOST_BANNED_REFERRERS))),
  ),
  paid_ad_allowed_campaigns: about(
    'Values of `utm_campaign` that the rule `paid_ad` allows.',
    z.nullish(z.array(text).check(z.maxLength(MOST_AD_CAMPAIGNS))),
  ),
  velocity_clicks: about(
    'Networks from which first clicks of a link come in a minute, above which the rule `velocity` fits.',
    z.nullish(programFields.velocity_clicks),
  ),
  shared_click_payers: about(
    'People who may pay with one click id. The second and later ones are flagged, further ones held.',
    z.nullish(programFields.shared_click_payers),
  ),
  ignored_addresses: about(
    'Addresses and CIDR ranges whose clicks are bots, such as those of your own office.',
    z.nullish(z.array(text).check(z.maxLength(MOST_IGNORED_ADDRESSES))),
  ),
  status: z.nullish(programFields.status),
  sandbox: about('Only as it is.', z.nullish(programFields.sandbox)),
  hold_period_days: z.nullish(programFields.hold_period_days),
  auto_approve: z.nullish(programFields.auto_approve),
  member_approval_cents: about(
    'What members may approve or release of one commission, in the smallest unit of its currency. In a change null takes the limit away.',
    z.nullish(programFields.member_approval_cents),
  ),
});

/** Fields of a program that may change, and what was seen of them. */
export const SeenProgramChange = z.extend(ProgramChange, { seen });

export const NewProgram = z.extend(ProgramChange, {
  sandbox: about(
    'A program for rehearsals: test payments of Stripe earn, live ones are not recorded, and nothing leaves it. It stays one.',
    z.nullish(programFields.sandbox),
  ),
  name: programFields.name,
  domain: text,
  commission_type: CommissionType,
  commission_rate: rate,
});

/** Those that an agent may change. */
export const AgentProgramChange = z.object({ ...change, seen });

/** Terms of a group or a partner. */
export const SentTerms = named(
  'SentTerms',
  z.object({
    commission_type: CommissionType,
    commission_rate: rate,
    duration_months: z.nullish(programFields.duration_months),
    hold_period_days: z.nullish(programFields.hold_period_days),
    lead_commission_cents: z.nullish(programFields.lead_commission_cents),
    tiers,
  }),
  'A field that is missing has the default of a new program.',
);

export const termsFieldRefusals = [
  badRequest(TERMS_INVALID),
  missingFields(REQUIRED_OF_TERMS),
  notOneOf('commission_type', ANY_TEXT, commissionTypes),
  ...[
    programTexts.rate,
    programTexts.percent,
    programTexts.durationMonths,
    programTexts.holdPeriodDays,
    programTexts.leadCommission,
    programTexts.tiers,
    programTexts.tiersOfFixed,
  ].map(badRequest),
  leadCommissionsNeedServer(),
];

/** Which fields members do not change. */
export const OWNER_FIELDS_TEXT = `For owners are the fields that decide what is paid: ${ownerFields.map((name) => `\`${name}\``).join(', ')}.`;

export const programFieldRefusals = [
  ...Object.values(programTexts).map(badRequest),
  leadCommissionsNeedServer(),
  notOneOf('status', ANY_TEXT, programStatuses),
  notOneOf('commission_type', ANY_TEXT, commissionTypes),
  notOneOf('lead_auth', ANY_TEXT, leadPolicies),
  notOneOf('join', ANY_TEXT, joinPolicies),
  notOneOf('terms_apply', ANY_TEXT, termsApplications),
  notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  notOneOf('commission_base', ANY_TEXT, commissionBases),
  notOneOf('code_precedence', ANY_TEXT, codePrecedences),
  ...ruleNames.map((name) => notOneOf(name, ANY_TEXT, ruleActions)),
];
