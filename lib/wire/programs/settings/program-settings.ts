import * as z from 'zod/mini';
import { commissionBases } from '#lib/service/programs/terms/commission-base.ts';
import { codePrecedences } from '#lib/service/programs/links/code.ts';
import {
  joinPolicies,
  leadPolicies,
  LONGEST_STATEMENT_NOTE,
  PAYOUT_DAYS,
  programStatuses,
} from '#lib/service/programs/program/program.ts';
import {
  MOST_AD_CAMPAIGNS,
  MOST_BANNED_REFERRERS,
  MOST_IGNORED_ADDRESSES,
  ruleActions,
  ruleNames,
} from '#lib/service/programs/terms/rules.ts';
import { termsApplications } from '#lib/service/programs/terms/terms.ts';
import {
  about,
  cents,
  CommissionType,
  currency,
  flag,
  list,
  named,
  optionalText,
  count,
  rate,
  text,
} from '#lib/wire/words/fields.ts';
import { programFields } from '#lib/wire/programs/settings/program-request.ts';
import { MOST_ORIGINS, type SettingName } from '#lib/wire/programs/settings/program-settings-request.ts';
import { durationMonths, leadCommission, sentTiers, tiers } from '#lib/wire/programs/terms.ts';

export const LeadAuth = named(
  'LeadAuth',
  z.enum(leadPolicies),
  'Whether a lead from a browser, without key, counts at once or waits for the server to confirm it.',
);
export type LeadAuth = z.output<typeof LeadAuth>;
const CommissionBase = named(
  'CommissionBase',
  z.enum(commissionBases),
  'From what percent commissions are computed: the whole amount of a sale, or that without its tax where it is known.',
);
const CodePrecedence = named(
  'CodePrecedence',
  z.enum(codePrecedences),
  'Who gets a payment that carries a coupon code: `link_first` asks the code only where click, e-mail and customer find nobody, `code_first` asks it first. A customer with a recorded sale stays.',
);
const Join = named(
  'Join',
  z.enum(joinPolicies),
  'Who may become a partner: whom the brand adds or invites, also whom it accepts who asks, or anyone.',
);
export const status = named('ProgramStatus', z.enum(programStatuses));
export const sandbox = about('Whether it is for rehearsals: nothing leaves it, and its test payments earn.', flag);
export const windowDays = about(
  'How many days a click may be older than the signup. A change does not bring back clicks that have expired.',
  z.int(),
);

interface DocumentedSetting {
  /** The schema in a reply. */
  readonly shown: z.ZodMiniType;
  /** The schema in a change. */
  readonly sent: z.ZodMiniType;
}

/** A setting with the same schema in request and reply. */
const same = <Schema extends z.ZodMiniType>(schema: Schema) => ({ shown: schema, sent: z.nullish(schema) });

/** A setting with one description for request and reply. */
const described = <Shown extends z.ZodMiniType, Sent extends z.ZodMiniType>(
  what: string,
  shown: Shown,
  sent: Sent,
) => ({
  shown: about(what, shown),
  sent: about(what, z.nullish(sent)),
});

/** How each setting is documented. */
const documentedSettings = {
  name: { shown: text, sent: z.nullish(programFields.name) },
  domain: { shown: text, sent: about('A host name, with a port where needed.', z.nullish(text)) },
  status: { shown: status, sent: z.nullish(programFields.status) },
  sandbox: { shown: sandbox, sent: about('Only as it is.', z.nullish(programFields.sandbox)) },
  commission_type: same(CommissionType),
  commission_rate: same(rate),
  duration_months: { shown: durationMonths, sent: about('0 = lifetime.', z.nullish(programFields.duration_months)) },
  currency: {
    shown: about('Of fixed commissions, and of the amounts by which partners and links are ranked.', currency),
    sent: about(
      "One of the installation's currencies: of fixed commissions. Commissions that exist keep theirs.",
      z.nullish(currency),
    ),
  },
  commission_base: same(CommissionBase),
  code_precedence: same(CodePrecedence),
  attribution_window_days: { shown: windowDays, sent: z.nullish(programFields.attribution_window_days) },
  lead_auth: same(LeadAuth),
  allowed_origins: {
    shown: list(text),
    sent: about(
      'Origins whose pages may send clicks and leads, such as `https://app.example.com` or `https://*.example.com`. A wildcard directly below a public suffix, such as `https://*.com`, is refused.',
      z.nullish(z.array(text).check(z.maxLength(MOST_ORIGINS))),
    ),
  },
  hold_period_days: { shown: z.int(), sent: z.nullish(programFields.hold_period_days) },
  auto_approve: { shown: flag, sent: z.nullish(programFields.auto_approve) },
  member_approval_cents: {
    shown: about(
      'What members may approve or release, compared with what a commission pays in its own currency; null = any sum.',
      z.nullable(cents),
    ),
    sent: about(
      'What members may approve or release of one commission, in the smallest unit of its currency. In a change null takes the limit away.',
      z.nullish(programFields.member_approval_cents),
    ),
  },
  terms_apply: {
    shown: about(
      'By which terms renewals are paid: by those of their time, or of the first sale.',
      z.enum(termsApplications),
    ),
    sent: about(
      'Whether renewals are paid by the terms of their time, or by those of the first sale.',
      z.nullish(programFields.terms_apply),
    ),
  },
  minimum_payout_cents: {
    shown: about("Of what a payout pays to a partner, in the program's currency.", cents),
    sent: about(
      "What is due to a partner in the program's currency waits until it is this much.",
      z.nullish(programFields.minimum_payout_cents),
    ),
  },
  lead_commission_cents: { shown: leadCommission, sent: z.nullish(programFields.lead_commission_cents) },
  tiers: { shown: tiers, sent: sentTiers },
  join: same(Join),
  links_per_partner: {
    shown: about('How many links partners may make themselves.', count),
    sent: about(
      'How many links partners may make themselves. The brand is not bound by it.',
      z.nullish(programFields.links_per_partner),
    ),
  },
  partner_terms: {
    shown: about('What partners have to accept.', optionalText),
    sent: about(
      'What partners have to accept; every change is a version. Empty: there are none.',
      z.nullish(programFields.partner_terms),
    ),
  },
  payout_days: described(
    'Days of the month, in UTC, on which the brand plans to pay: partners see the next one, and owners get a mail when something is due. Nothing is paid by itself.',
    list(z.int()),
    z.array(z.int()).check(z.maxLength(PAYOUT_DAYS.most)),
  ),
  statement_note: {
    shown: about('On statements of payouts, such as the tax note of a self-billed invoice.', optionalText),
    sent: about(
      'On statements of payouts, such as the tax note of a self-billed invoice. Empty: none.',
      z.nullish(z.string().check(z.maxLength(LONGEST_STATEMENT_NOTE))),
    ),
  },
  share_customer_emails: {
    shown: flag,
    sent: about(
      'Whether partners see the masked addresses of their customers, or none.',
      z.nullish(programFields.share_customer_emails),
    ),
  },
  rules: {
    shown: about('What happens to a sale or lead that a rule fits.', z.record(z.enum(ruleNames), z.enum(ruleActions))),
    sent: about('Those that are not sent stay.', z.nullish(z.partialRecord(z.enum(ruleNames), z.enum(ruleActions)))),
  },
  banned_referrers: {
    shown: about('Hosts; `*.x` is every host below `x`, not `x`.', list(text)),
    sent: about(
      'Hosts for the rule `banned_referrer`; `*.x` is every host below `x`, not `x`.',
      z.nullish(z.array(text).check(z.maxLength(MOST_BANNED_REFERRERS))),
    ),
  },
  paid_ad_allowed_campaigns: described(
    'Values of `utm_campaign` that the rule `paid_ad` allows.',
    list(text),
    z.array(text).check(z.maxLength(MOST_AD_CAMPAIGNS)),
  ),
  velocity_clicks: described(
    'Networks from which first clicks of a link come in a minute, above which the rule `velocity` fits.',
    count,
    programFields.velocity_clicks,
  ),
  shared_click_payers: described(
    'People who may pay with one click id. The second and later ones are flagged, further ones held.',
    count,
    programFields.shared_click_payers,
  ),
  ignored_addresses: {
    shown: about('Addresses and ranges whose clicks are bots.', list(text)),
    sent: about(
      'Addresses and CIDR ranges whose clicks are bots, such as those of your own office.',
      z.nullish(z.array(text).check(z.maxLength(MOST_IGNORED_ADDRESSES))),
    ),
  },
} satisfies Record<SettingName, DocumentedSetting>;

type Documented = typeof documentedSettings;

/** The schemas of all settings for requests or replies. */
export const schemasOf = <Side extends keyof DocumentedSetting>(side: Side) =>
  Object.fromEntries(Object.entries(documentedSettings).map(([name, schemas]) => [name, schemas[side]])) as {
    [Name in SettingName]: Documented[Name][Side];
  };
