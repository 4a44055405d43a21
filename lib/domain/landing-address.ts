/**
 * Query parameters that tell where a visit came from: the referral link's own, `utm_…`, and click ids of ad networks
 * (`gclid`, `fbclid`, `msclkid`, `irclickid` and others end alike). The browser tracker keeps the same.
 */
export const keptParameters = /^aff$|^utm_|cl(ick|k)?id$|^([gw]braid|li_fat_id|rdt_cid|sccid|epik)$/i;

/**
 * An address without what may be private in it: fragment, user info, and every query parameter but those above. One that
 * has nothing of this stays as it was written. Of what is no web address the part before query and fragment is left: that
 * may be a path, or the name of an app.
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

/** The same of what a request sent. */
export const sentAddress = (value: unknown): string | undefined =>
  typeof value === 'string' ? cutAddress(value) : undefined;

function isKept(pair: string, keep: readonly string[]): boolean {
  const [name = ''] = new URLSearchParams(pair).keys();
  return keptParameters.test(name) || keep.includes(name);
}
