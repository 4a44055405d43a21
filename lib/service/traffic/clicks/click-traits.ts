import { adCampaignOf } from '#lib/service/traffic/clicks/landing-address.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';

const LONGEST_HOST = 253;

/**
 * Returns the traits of a click that the program's fraud rules check. Undefined if nothing is known.
 * @param network the hashed network of the visitor
 */
export function traitsOfClick(affiliateUrl: string, referrerUrl = '', network?: string): CustomerTraits | undefined {
  const adCampaign = adCampaignOf(affiliateUrl);
  const referrer = hostNameOf(referrerUrl);
  if (adCampaign === undefined && referrer === undefined && network === undefined) return undefined;
  return { adCampaign, referrer, ...(network !== undefined && { network }) };
}

/** Returns the host of a URL in lower case, without port. Undefined if the URL has no host. */
function hostNameOf(address: string): string | undefined {
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase() : '';
  return host === '' || host.length > LONGEST_HOST ? undefined : host;
}
