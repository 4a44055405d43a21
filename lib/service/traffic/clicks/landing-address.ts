/**
 * Query parameters that show where a visit came from: the referral link's `aff`, `utm_…`, and click ids of ad networks
 * (`gclid`, `fbclid`, `msclkid`, `irclickid` and others with the same endings). The browser tracker keeps the same
 * parameters.
 */
export const keptParameters = /^aff$|^utm_|cl(ick|k)?id$|^([gw]braid|gclsrc|gad_source|li_fat_id|rdt_cid|sccid|epik)$/i;

/** Parameters that an ad network adds to the URL of a paid advertisement. Affiliate networks use other parameters. */
const adParameters =
  /^(?:gclid|[gw]braid|gclsrc|dclid|gad_source|fbclid|msclkid|ttclid|twclid|li_fat_id|rdt_cid|epik|sccid)$/i;

const LONGEST_CAMPAIGN = 200;

/**
 * Returns the advertisement's campaign: the URL's `utm_campaign`, or an empty string if it has none.
 * @returns undefined if the URL carries no click id of an ad network
 */
export function adCampaignOf(address: string): string | undefined {
  const parameters = URL.canParse(address) ? [...new URL(address).searchParams] : [];
  if (!parameters.some(([name, value]) => value !== '' && adParameters.test(name))) return undefined;
  const [, campaign = ''] = parameters.find(([name]) => name.toLowerCase() === 'utm_campaign') ?? [];
  return campaign.trim().slice(0, LONGEST_CAMPAIGN).toWellFormed();
}

/**
 * Removes the parts of a URL that may be private: fragment, user info, and all query parameters but `keptParameters`. A
 * URL without such parts is returned unchanged. If a text is not a web URL, such as a path or the name of an app, only
 * its query and fragment are removed.
 * @param keep further query parameters to keep
 */
export function cutAddress(address: string, keep: readonly string[] = []): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return address.split(/[?#]/, 1)[0]!;
  const whole = url.href;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((pair) => isKept(pair, keep))
    .join('&');
  return url.href === whole ? address : url.href;
}

/** Applies `cutAddress` to an unchecked value of a request. Undefined if the value is not a string. */
export const sentAddress = (value: unknown): string | undefined =>
  typeof value === 'string' ? cutAddress(value) : undefined;

function isKept(pair: string, keep: readonly string[]): boolean {
  const [name = ''] = new URLSearchParams(pair).keys();
  return keptParameters.test(name) || keep.includes(name);
}
