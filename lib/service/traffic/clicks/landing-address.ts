/**
 * Query parameters that tell where a visit came from: the referral link's own, `utm_…`, and click ids of ad networks
 * (`gclid`, `fbclid`, `msclkid`, `irclickid` and others end alike). The browser tracker keeps the same.
 */
export const keptParameters = /^aff$|^utm_|cl(ick|k)?id$|^([gw]braid|gclsrc|gad_source|li_fat_id|rdt_cid|sccid|epik)$/i;

/** Parameters that an ad network adds to the address of a paid advertisement. Affiliate networks have others. */
const adParameters =
  /^(?:gclid|[gw]braid|gclsrc|dclid|gad_source|fbclid|msclkid|ttclid|twclid|li_fat_id|rdt_cid|epik|sccid)$/i;

const LONGEST_CAMPAIGN = 200;

/**
 * The campaign of an advertisement that led to an address: its `utm_campaign`, empty where it names none.
 * @returns undefined where the address carries no click id of an ad network
 */
export function adCampaignOf(address: string): string | undefined {
  const parameters = URL.canParse(address) ? [...new URL(address).searchParams] : [];
  if (!parameters.some(([name, value]) => value !== '' && adParameters.test(name))) return undefined;
  const [, campaign = ''] = parameters.find(([name]) => name.toLowerCase() === 'utm_campaign') ?? [];
  return campaign.trim().slice(0, LONGEST_CAMPAIGN).toWellFormed();
}

/**
 * An address without its possibly private parts: fragment, user info, and every query parameter but those above. An
 * address without any of them stays as written. Of a text that is no web address, such as a path or the name of an app,
 * the part before query and fragment stays.
 * @param keep further query parameters to be kept
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

/** The same for a value of a request. */
export const sentAddress = (value: unknown): string | undefined =>
  typeof value === 'string' ? cutAddress(value) : undefined;

function isKept(pair: string, keep: readonly string[]): boolean {
  const [name = ''] = new URLSearchParams(pair).keys();
  return keptParameters.test(name) || keep.includes(name);
}
