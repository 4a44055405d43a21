import * as z from 'zod/mini';
import { commissionBases } from '#lib/service/programs/terms/commission-base.ts';
import { codePrecedences } from '#lib/service/programs/links/code.ts';
import { joinPolicies, leadPolicies, programStatuses } from '#lib/service/programs/program/program.ts';
import { ruleActions, ruleNames } from '#lib/service/programs/terms/rules.ts';
import { termsApplications } from '#lib/service/programs/terms/terms.ts';
import {
  about,
  cents,
  CommissionType,
  currency,
  flag,
  id,
  keyMask,
  list,
  named,
  optionalText,
  optionalTime,
  count,
  rate,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { processorMode } from '#lib/wire/conversions/processor.ts';
import { durationMonths, leadCommission, tiers } from '#lib/wire/programs/terms.ts';

export const LeadAuth = named(
  'LeadAuth',
  z.enum(leadPolicies),
  'Whether a lead from a browser, without key, counts at once or waits for the server to confirm it.',
);
export type LeadAuth = z.output<typeof LeadAuth>;
export const CommissionBase = named(
  'CommissionBase',
  z.enum(commissionBases),
  'From what percent commissions are computed: the whole amount of a sale, or that without its tax where it is known.',
);
export const CodePrecedence = named(
  'CodePrecedence',
  z.enum(codePrecedences),
  'Who gets a payment that carries a coupon code: `link_first` asks the code only where click, e-mail and customer find nobody, `code_first` asks it first. A customer with a recorded sale stays.',
);
export const Join = named(
  'Join',
  z.enum(joinPolicies),
  'Who may become a partner: whom the brand adds or invites, also whom it accepts who asks, or anyone.',
);
const status = named('ProgramStatus', z.enum(programStatuses));
export const sandbox = about('Whether it is for rehearsals: nothing leaves it, and its test payments earn.', flag);
const termsApply = z.enum(termsApplications);
const windowDays = about('How many days a click may be older than the signup.', z.int());

/** A program as the dashboard and agents see it. */
export const Program = named(
  'Program',
  z.strictObject({
    id,
    slug: text,
    name: text,
    domain: text,
    status,
    sandbox,
    commission_type: CommissionType,
    commission_rate: rate,
    duration_months: durationMonths,
    currency: about('Of fixed commissions, and of the amounts by which partners and links are ranked.', currency),
    commission_base: CommissionBase,
    code_precedence: CodePrecedence,
    attribution_window_days: windowDays,
    lead_auth: LeadAuth,
    allowed_origins: list(text),
    hold_period_days: z.int(),
    auto_approve: flag,
    member_approval_cents: about(
      'What members may approve or release, compared with what a commission pays in its own currency; null = any sum.',
      z.nullable(cents),
    ),
    terms_apply: about('By which terms renewals are paid: by those of their time, or of the first sale.', termsApply),
    minimum_payout_cents: about("Of what a payout pays to a partner, in the program's currency.", cents),
    lead_commission_cents: leadCommission,
    tiers,
    join: Join,
    links_per_partner: about('How many links partners may make themselves.', count),
    partner_terms: about('What partners have to accept.', optionalText),
    partner_terms_version: about('Of the text that partners have to accept.', z.nullable(z.int().check(z.positive()))),
    share_customer_emails: flag,
    rules: about('What happens to a sale or lead that a rule fits.', z.record(z.enum(ruleNames), z.enum(ruleActions))),
    banned_referrers: about('Hosts; `*.x` is every host below `x`, not `x`.', list(text)),
    paid_ad_allowed_campaigns: about('Values of `utm_campaign` that the rule `paid_ad` allows.', list(text)),
    velocity_clicks: about(
      'Networks from which first clicks of a link come in a minute, above which the rule `velocity` fits.',
      count,
    ),
    shared_click_payers: about(
      'People who may pay with one click id. The second and later ones are flagged, further ones held.',
      count,
    ),
    ignored_addresses: about('Addresses and ranges whose clicks are bots.', list(text)),
    api_token_masked: keyMask,
    key_rotated_at: about('When an owner last generated the key.', optionalTime),
    key_last_used_at: about('The hour in which a request last came with the key in force.', optionalTime),
    processor: z.strictObject({ connected: flag, mode: processorMode }),
    created_at: time,
    updated_at: time,
  }),
);
export type Program = z.output<typeof Program>;

/** As `init` of the command line answers it. */
export const CreatedProgram = named(
  'CreatedProgram',
  z.strictObject({
    program_id: id,
    program_slug: text,
    name: text,
    domain: text,
    status,
    commission_type: CommissionType,
    commission_rate: rate,
    duration_months: durationMonths,
    attribution_window_days: windowDays,
    lead_auth: LeadAuth,
    api_token_masked: keyMask,
    api_key_url: about('Where an owner generates the key.', text),
  }),
);
export type CreatedProgram = z.output<typeof CreatedProgram>;

/** As the command line lists it. */
export const ListedProgram = named(
  'ListedProgram',
  z.strictObject({
    id,
    name: text,
    slug: text,
    domain: text,
    status,
    sandbox,
    commission: about('Such as `20%`, `20% recurring (12 months)` or `$50`.', text),
    commission_type: CommissionType,
    commission_rate: rate,
    attribution_window_days: windowDays,
    lead_auth: LeadAuth,
    api_token_masked: keyMask,
    partners: about('Active ones.', count),
    created_at: time,
  }),
);
export type ListedProgram = z.output<typeof ListedProgram>;

/** How a program is doing. */
export const ProgramHealth = named(
  'ProgramHealth',
  z.strictObject({
    program_id: id,
    name: text,
    domain: text,
    stripe_connected: flag,
    stripe_charges_enabled: flag,
    recent_events: z.strictObject({ clicks_24h: count, leads_24h: count, sales_24h: count }),
    active_partners: count,
    pending_commissions: count,
    lead_auth: LeadAuth,
    integration_verified: flag,
  }),
);
export type ProgramHealth = z.output<typeof ProgramHealth>;

/** The only reply that holds a program key. */
export const GeneratedKey = z.strictObject({
  api_key: z.string().check(z.regex(/^aff_/)),
  api_token_masked: keyMask,
});
export type GeneratedKey = z.output<typeof GeneratedKey>;
