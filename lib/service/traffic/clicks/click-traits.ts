import { adCampaignOf } from '#lib/service/traffic/clicks/landing-address.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';

const LONGEST_HOST = 253;

/** What a first click tells rules of its customer; undefined = nothing. @param network the visitor's */
export function traitsOfClick(affiliateUrl: string, referrerUrl = '', network?: string): CustomerTraits | undefined {
  const adCampaign = adCampaignOf(affiliateUrl);
  const referrer = hostNameOf(referrerUrl);
  if (adCampaign === undefined && referrer === undefined && network === undefined) return undefined;
  return { adCampaign, referrer, ...(network !== undefined && { network }) };
}

/** The host that an address names, without port, in lower case; undefined when it names none. */
function hostNameOf(address: string): string | undefined {
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase() : '';
  return host === '' || host.length > LONGEST_HOST ? undefined : host;
}
