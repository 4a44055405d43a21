import * as z from 'zod/mini';
import { partnerStatuses } from '#lib/service/programs/partners/partner.ts';
import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import {
  about,
  balanceCents,
  byCurrency,
  cents,
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
  paid_out_cents: about('Since ever; null in the figures of a period.', z.nullable(balanceCents)),
});
export type PartnerAmounts = z.output<typeof PartnerAmounts>;

export const PartnerStatus = named(
  'PartnerStatus',
  z.enum(partnerStatuses),
  '`invited` and `applied` ones are no partners yet; an invitation that was not accepted within 30 days is `expired`.',
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
    terms: about('Personal ones.', z.nullable(Terms)),
    terms_in_force: TermsInForce,
    links: list(text),
    ...counts,
    amounts: byCurrency(PartnerAmounts),
    payout: about(
      'Null until the person accepts to be a partner of this program and says where payouts go, again when they are a partner ' +
        'of no program of the workspace any more, and when the program has restored them until they accept again.',
      z.nullable(PartnersPayout),
    ),
    same_account: about(
      'For owners: ids of other partners of the workspace who are paid to the same account. Empty for others.',
      list(id),
    ),
    mail: about(
      'Whether the partner gets mails: it may have refused them, or its address returns them.',
      z.enum(['ok', 'refused', 'suppressed']),
    ),
    joined_at: about(
      'When the person became a partner by their own will; null for one whom the program added, or restored, and who has not accepted.',
      optionalTime,
    ),
    left_at: about('When a partner left, or declined, by their own will.', optionalTime),
    invited_at: about('When the person was last invited.', optionalTime),
    application: about(
      'What a person wrote who asked to become a partner.',
      z.nullable(
        z.strictObject({
          message: optionalText,
          website: optionalText,
          applied_at: time,
          queued: about(
            'Whether it waits behind all others: many came on its day from one network, or one domain of mail.',
            z.boolean(),
          ),
        }),
      ),
    ),
    rejection_reason: optionalText,
    accepted_terms: about('The newest partner terms that the person accepted.', z.nullable(AcceptedTerms)),
    has_account: about(
      'Whether the person shares an account with this workspace: false wherever `payout` is null because the person shares nothing.',
      z.boolean(),
    ),
    created_at: time,
  }),
  'A partner in a program. The same person has one id in all programs of a workspace. Counters follow the events within seconds.',
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
    last_clicked_at: about('Of all clicks, also in the figures of a period.', optionalTime),
    created_at: time,
  }),
  'Its partner is null when the operator unlinked it.',
);
export type ReferralLink = z.output<typeof ReferralLink>;

/** A link as its partner sees it. */
export const PortalLink = named(
  'PortalLink',
  z.omit(ReferralLink, countsHiddenFromPartners),
  'One of the partner’s own.',
);
export type PortalLink = z.output<typeof PortalLink>;
