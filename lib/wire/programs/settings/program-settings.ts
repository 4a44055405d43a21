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
  'Whether a lead from a browser, without a key, counts at once or waits until the server confirms it.',
);
export type LeadAuth = z.output<typeof LeadAuth>;
const CommissionBase = named(
  'CommissionBase',
  z.enum(commissionBases),
  'The amount from which percentage commissions are computed: the whole amount of a sale, or the amount without its tax if the tax is known.',
);
const CodePrecedence = named(
  'CodePrecedence',
  z.enum(codePrecedences),
  'Decides the partner of a payment with a coupon code. `link_first`: the code counts only if click, e-mail address and customer key find no customer. `code_first`: the code counts first. A customer with a recorded sale keeps its partner.',
);
const Join = named(
  'Join',
  z.enum(joinPolicies),
  'Who may become a partner: only people whom the brand adds or invites, also people whose application it accepts, or anyone.',
);
export const status = named('ProgramStatus', z.enum(programStatuses));
export const sandbox = about('For rehearsals: its test payments earn, and it never pays out.', flag);
export const windowDays = about(
  'The maximum number of days between click and signup. A change does not bring back expired clicks.',
  z.int(),
);

interface DocumentedSetting {
  /** The schema of the setting in a reply. */
  readonly shown: z.ZodMiniType;
  /** The schema of the setting in a change. */
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
  domain: { shown: text, sent: about('A host name, with a port if needed.', z.nullish(text)) },
  status: { shown: status, sent: z.nullish(programFields.status) },
  sandbox: { shown: sandbox, sent: about('Can only be sent unchanged.', z.nullish(programFields.sandbox)) },
  commission_type: same(CommissionType),
  commission_rate: same(rate),
  duration_months: {
    shown: durationMonths,
    sent: about('0 means lifetime.', z.nullish(programFields.duration_months)),
  },
  currency: {
    shown: about(
      'The currency of fixed commissions, and of the amounts by which partners and links are ranked.',
      currency,
    ),
    sent: about('The currency of fixed commissions. Existing commissions keep theirs.', z.nullish(currency)),
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
      'The largest commission that members may approve or release, in its own currency. Null if there is no limit.',
      z.nullable(cents),
    ),
    sent: about(
      'The largest commission that members may approve or release, in the smallest unit of its currency. Null removes the limit.',
      z.nullish(programFields.member_approval_cents),
    ),
  },
  terms_apply: {
    shown: about(
      'Whether renewals are paid by the terms at the time of the renewal, or by those of the first sale.',
      z.enum(termsApplications),
    ),
    sent: about(
      'Whether renewals are paid by the terms at the time of the renewal, or by those of the first sale.',
      z.nullish(programFields.terms_apply),
    ),
  },
  minimum_payout_cents: {
    shown: about("The smallest amount that a payout pays to a partner, in the program's currency.", cents),
    sent: about(
      "The smallest amount that a payout pays to a partner, in the program's currency. Less is carried over.",
      z.nullish(programFields.minimum_payout_cents),
    ),
  },
  lead_commission_cents: { shown: leadCommission, sent: z.nullish(programFields.lead_commission_cents) },
  tiers: { shown: tiers, sent: sentTiers },
  join: same(Join),
  links_per_partner: {
    shown: about('The number of links that a partner may create.', count),
    sent: about(
      'The number of links that a partner may create. It does not limit the brand.',
      z.nullish(programFields.links_per_partner),
    ),
  },
  partner_terms: {
    shown: about('The terms that partners must accept.', optionalText),
    sent: about(
      'The terms that partners must accept. Each change creates a version. Empty if there are none.',
      z.nullish(programFields.partner_terms),
    ),
  },
  payout_days: described(
    'Days of the month, in UTC, on which the brand plans to pay: partners see the next one, and owners get a mail if something is due. Nothing is paid automatically.',
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
      'Whether partners see the masked e-mail addresses of their customers.',
      z.nullish(programFields.share_customer_emails),
    ),
  },
  rules: {
    shown: about('The action for sales and leads that match a rule.', z.record(z.enum(ruleNames), z.enum(ruleActions))),
    sent: about(
      'Rules that are not sent keep their actions.',
      z.nullish(z.partialRecord(z.enum(ruleNames), z.enum(ruleActions))),
    ),
  },
  banned_referrers: {
    shown: about('Hosts. `*.x` means every host below `x`, but not `x`.', list(text)),
    sent: about(
      'Hosts for the rule `banned_referrer`. `*.x` means every host below `x`, but not `x`.',
      z.nullish(z.array(text).check(z.maxLength(MOST_BANNED_REFERRERS))),
    ),
  },
  paid_ad_allowed_campaigns: described(
    'Values of `utm_campaign` that the rule `paid_ad` allows.',
    list(text),
    z.array(text).check(z.maxLength(MOST_AD_CAMPAIGNS)),
  ),
  velocity_clicks: described(
    'The rule `velocity` matches if first clicks on a link come from more networks than this within a minute.',
    count,
    programFields.velocity_clicks,
  ),
  shared_click_payers: described(
    'How many people may pay with one click id. The second and later ones are flagged, further ones held.',
    count,
    programFields.shared_click_payers,
  ),
  ignored_addresses: {
    shown: about('Addresses and ranges whose clicks count as bots.', list(text)),
    sent: about(
      'Addresses and CIDR ranges whose clicks count as bots, such as those of your office.',
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
