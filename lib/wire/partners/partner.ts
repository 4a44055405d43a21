import * as z from 'zod/mini';
import { partnerStatuses } from '#lib/service/programs/partners/partner.ts';
import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
  count,
  id,
  list,
  named,
  optionalId,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { counts, countsHiddenFromPartners } from '#lib/wire/reports/performance.ts';
import { PartnersPayout } from '#lib/wire/partners/portal-payout-details.ts';
import { Terms, TermsInForce } from '#lib/wire/programs/terms.ts';

const linkAmounts = { revenue_cents: cents, commission_cents: balanceCents };
const LinkAmounts = named('LinkAmounts', z.strictObject(linkAmounts));
export type LinkAmounts = z.output<typeof LinkAmounts>;

const PartnerAmounts = z.strictObject({
  ...linkAmounts,
  paid_out_cents: about(
    'The amount paid out over all time. Null in the figures of a period.',
    z.nullable(balanceCents),
  ),
});
export type PartnerAmounts = z.output<typeof PartnerAmounts>;

export const PartnerStatus = named(
  'PartnerStatus',
  z.enum(partnerStatuses),
  '`invited` and `applied` mean that the person is not yet a partner. An invitation that was not accepted within 30 days is `expired`.',
);

export const AcceptedTerms = z.strictObject({ version: z.int().check(z.positive()), accepted_at: time });
export type AcceptedTerms = z.output<typeof AcceptedTerms>;

export const Partner = named(
  'Partner',
  z.strictObject({
    id,
    name: text,
    email: about('Null once the person has closed their account.', optionalText),
    status: PartnerStatus,
    group_id: optionalId,
    group_name: optionalText,
    terms: about('Personal terms.', z.nullable(Terms)),
    terms_in_force: TermsInForce,
    links: list(text),
    ...counts,
    amounts: byCurrency(PartnerAmounts),
    payout: about(
      "The partner's payout details. Null until the person has accepted to be a partner of this program and has set them. Null again once the person is no longer a partner in any program of the workspace, and after the program restored a removed partner, until the person accepts again.",
      z.nullable(PartnersPayout),
    ),
    same_account: about(
      'For owners: ids of other partners of the workspace with the same payout details. Empty for others.',
      list(id),
    ),
    mail: about(
      'Whether the partner receives mails. False if the person unsubscribed or mails to the address bounce.',
      z.enum(['ok', 'refused', 'suppressed']),
    ),
    joined_at: about(
      'When the person accepted to be a partner. Null for a partner whom the program added or restored and who has not accepted.',
      optionalTime,
    ),
    left_at: about('When the partner left or declined.', optionalTime),
    invited_at: about('When the person was last invited.', optionalTime),
    promised_link: about(
      'The name that the brand promised for the first link, which the person gets on accepting. Null without one, and once the person has accepted.',
      optionalText,
    ),
    promised_code: about(
      'The coupon code that the brand promised, which the person gets on accepting unless another partner has it by then. Null without one, and once the person has accepted.',
      optionalText,
    ),
    application: about(
      'The text that the person wrote when applying.',
      z.nullable(
        z.strictObject({
          message: optionalText,
          website: optionalText,
          applied_at: time,
          queued: about(
            'Whether the application comes after all others, because many came on the same day from one network or one mail domain.',
            z.boolean(),
          ),
        }),
      ),
    ),
    rejection_reason: optionalText,
    accepted_terms: about('The newest partner terms that the person has accepted.', z.nullable(AcceptedTerms)),
    has_account: about(
      'Whether the person shares their account with this workspace. If false, `payout` is null.',
      z.boolean(),
    ),
    created_at: time,
  }),
  'A partner in a program. A person has the same id in all programs of a workspace. Figures are updated within seconds of an event.',
);
export type Partner = z.output<typeof Partner>;

export const ReferralLink = named(
  'ReferralLink',
  z.strictObject({
    short_link: text,
    url: text,
    destination_url: text,
    partner_id: optionalId,
    partner_name: optionalText,
    status: z.enum(linkStatuses),
    ...counts,
    amounts: byCurrency(LinkAmounts),
    last_clicked_at: about('The last of all clicks, also in the figures of a period.', optionalTime),
    created_at: time,
  }),
  'A referral link. Its partner is null if the operator unlinked it.',
);
export type ReferralLink = z.output<typeof ReferralLink>;

/** A link as its partner sees it. */
export const PortalLink = named(
  'PortalLink',
  z.extend(z.omit(ReferralLink, countsHiddenFromPartners), {
    switched_off_by: about(
      'Who switched the link off. Null while it is active. The partner can switch on only a link that the partner switched off.',
      z.nullable(z.enum(['partner', 'program'])),
    ),
  }),
  'A referral link of the partner.',
);
export type PortalLink = z.output<typeof PortalLink>;

const rank = z.nullable(z.int().check(z.positive()));

/** Fields of a row in a list whose rows are compared with the period before. */
const comparison = <Amounts extends z.ZodMiniType>(amounts: Amounts) => ({
  rank: about(
    'With `compare=previous`: the place in the whole list by the figure of `sort`. Null if the figure is 0.',
    z.optional(rank),
  ),
  previous: about(
    'With `compare=previous`: rank and figures in the period of equal length before `from`.',
    z.optional(z.strictObject({ rank, clicks: count, leads: count, sales: count, amounts: byCurrency(amounts) })),
  ),
});

export const RankedPartner = named('RankedPartner', z.extend(Partner, comparison(PartnerAmounts)));
export type RankedPartner = z.output<typeof RankedPartner>;

export const RankedLink = named('RankedLink', z.extend(ReferralLink, comparison(LinkAmounts)));
export type RankedLink = z.output<typeof RankedLink>;
