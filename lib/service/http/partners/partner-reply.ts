import { type Application, isInQueue, type Partner, partnerStatusAt } from '#lib/service/programs/partners/partner.ts';
import { shownShare } from '#lib/service/programs/partners/partner-share.ts';
import type { MemberRole } from '#lib/service/people/workspaces/workspace.ts';
import type { ReferralLink } from '#lib/service/programs/links/referral-link.ts';
import { countsReply } from '#lib/service/http/reports/counts-reply.ts';
import { partnersPayoutReply } from '#lib/service/http/partners/payout-details-reply.ts';
import { termsReply, termsVersionReply } from '#lib/service/http/programs/terms-reply.ts';
import type { EventCounts } from '#lib/service/ground/counters/counter-readings.ts';
import type { Period } from '#lib/service/ground/values/performance.ts';
import type { Comparison } from '#lib/service/reports/lists/read-figures.ts';
import type { CountedLink } from '#lib/service/reports/lists/list-links.ts';
import type { CountedPartner } from '#lib/service/reports/lists/list-partners.ts';
import type * as wire from '#lib/wire/partners/partner.ts';

/**
 * A partner in a program, with counters, which may lag some seconds behind the events.
 * @param role the role of the member who reads the reply
 */
export const partnerReply = (
  { partner, counts, terms, period, comparison, share, sameAccount = [] }: CountedPartner,
  now: Date,
  role?: MemberRole,
): wire.RankedPartner => ({
  id: partner.id,
  name: partner.name,
  email: partner.email ?? null,
  status: partnerStatusAt(partner, now),
  group_id: terms.group?.id ?? null,
  group_name: terms.group?.name ?? null,
  terms: terms.personal ? termsReply(terms.personal) : null,
  terms_in_force: { ...termsReply(terms.inForce), ...termsVersionReply(terms.inForce.version, partner) },
  links: partner.links,
  ...countsReply(counts),
  amounts: partnerAmounts(counts, period),
  ...(comparison && comparisonReply(comparison, (before) => partnerAmounts(before, period))),
  payout: partnersPayoutReply(shownShare(partner, share).details, partner),
  same_account: role === 'owner' && shownShare(partner, share).isShared ? [...sameAccount] : [],
  mail: partner.mail ?? 'ok',
  ...membershipReply(partner),
  has_account: shownShare(partner, share).isShared,
  created_at: partner.createdAt,
});

const partnerAmounts = ({ amounts }: EventCounts, period: Period | undefined): Record<string, wire.PartnerAmounts> =>
  eachCurrency(amounts, ({ revenueCents, commissionCents, paidOutCents }) => ({
    revenue_cents: revenueCents,
    commission_cents: commissionCents,
    // Counters do not count payouts by day, so there is no amount for a period.
    paid_out_cents: period ? null : paidOutCents,
  }));

const linkAmounts = ({ amounts }: EventCounts): Record<string, wire.LinkAmounts> =>
  eachCurrency(amounts, ({ revenueCents, commissionCents }) => ({
    revenue_cents: revenueCents,
    commission_cents: commissionCents,
  }));

const eachCurrency = <Amount, Shown>(
  amounts: Readonly<Record<string, Amount>>,
  shown: (of: Amount) => Shown,
): Record<string, Shown> => Object.fromEntries(Object.entries(amounts).map(([currency, of]) => [currency, shown(of)]));

/** The ranks of a partner or link in a sorted list, and its figures in the period before. */
const comparisonReply = <Amounts>(
  { rank, rankBefore, countsBefore }: Comparison,
  amountsOf: (counts: EventCounts) => Amounts,
) => {
  const { clicks, leads, sales } = countsBefore;
  const amounts = amountsOf(countsBefore);
  return { rank: rank ?? null, previous: { rank: rankBefore ?? null, clicks, leads, sales, amounts } };
};

/** How the person became a partner, or the state of the invitation or application. */
const membershipReply = (partner: Partner) => ({
  joined_at: partner.joinedAt ?? null,
  left_at: partner.leftAt ?? null,
  invited_at: partner.invitedAt ?? null,
  ...promisesReply(partner),
  application: partner.application ? applicationReply(partner.application, isInQueue(partner)) : null,
  rejection_reason: partner.rejectionReason ?? null,
  accepted_terms: partner.acceptedTerms ? acceptedTermsReply(partner.acceptedTerms) : null,
});

/** The link and the code that a person gets on accepting. Present and former partners already have theirs. */
function promisesReply({ status, wishedLink, wishedCode }: Partner) {
  const isPromise = status !== 'active' && status !== 'removed';
  return {
    promised_link: (isPromise && wishedLink) || null,
    promised_code: (isPromise && wishedCode) || null,
  };
}

const applicationReply = ({ message, website, appliedAt }: Application, queued: boolean) => ({
  message: message ?? null,
  website: website ?? null,
  applied_at: appliedAt,
  queued,
});

export const acceptedTermsReply = ({ version, at }: NonNullable<Partner['acceptedTerms']>): wire.AcceptedTerms => ({
  version,
  accepted_at: at,
});

/** A referral link, with its counters. If the operator has unlinked it, it has no partner. */
export const linkReply = (counted: CountedLink): wire.RankedLink => ({
  ...linkWith(counted, countsReply(counted.counts)),
  ...(counted.comparison && comparisonReply(counted.comparison, linkAmounts)),
});

/** A link as its partner sees it. How many of its clicks came from bots is left out. */
export function ownLinkReply(counted: CountedLink): wire.PortalLink {
  const { link, counts } = counted;
  const { clicks, leads, sales } = counts;
  return { ...linkWith(counted, { clicks, leads, sales }), switched_off_by: switchedOffBy(link) };
}

function switchedOffBy({ status, switchedOffByPartner: isOwn }: ReferralLink): wire.PortalLink['switched_off_by'] {
  if (status === 'active') return null;
  return isOwn ? 'partner' : 'program';
}

const linkWith = <Counts>({ link, partner, counts }: CountedLink, shown: Counts) => ({
  short_link: link.shortLink,
  url: referralUrl(link),
  destination_url: link.destinationUrl,
  partner_id: partner?.id ?? null,
  partner_name: partner?.name ?? null,
  status: link.status,
  ...shown,
  amounts: linkAmounts(counts),
  last_clicked_at: counts.lastClickedAt ?? null,
  created_at: link.createdAt,
});

/** The URL of a link: its destination with the `aff` parameter. */
export function referralUrl({ destinationUrl, shortLink }: ReferralLink): string {
  const url = new URL(destinationUrl);
  url.searchParams.set('aff', shortLink);
  return url.href;
}
