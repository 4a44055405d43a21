import type { Partner } from '#lib/domain/partner.ts';
import type { ReferralLink } from '#lib/domain/referral-link.ts';
import type { LinkOfPartner } from '#lib/use-cases/list-links.ts';

/** A partner in a program, with its counters (contract 15.3). */
export const partnerReply = (partner: Partner) => ({
  id: partner.id,
  name: partner.name,
  email: partner.email,
  status: partner.status,
  links: partner.links,
  clicks: 0,
  leads: 0,
  sales: 0,
  amounts: {},
  created_at: partner.createdAt,
});

/** A referral link, with its counters (contract 15.3). It has no partner when the operator unlinked it. */
export const linkReply = ({ link, partner }: LinkOfPartner) => ({
  short_link: link.shortLink,
  url: referralUrl(link),
  destination_url: link.destinationUrl,
  partner_id: partner?.id ?? null,
  partner_name: partner?.name ?? null,
  status: link.status,
  clicks: 0,
  leads: 0,
  sales: 0,
  last_clicked_at: null,
  created_at: link.createdAt,
});

/** Where the link leads: its destination with the `aff` parameter. */
function referralUrl({ destinationUrl, shortLink }: ReferralLink): string {
  const url = new URL(destinationUrl);
  url.searchParams.set('aff', shortLink);
  return url.href;
}
