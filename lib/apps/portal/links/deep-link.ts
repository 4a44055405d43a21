import { withScheme } from '#lib/apps/web/forms/with-scheme.ts';

/** Whether an address is on the program's own site. */
const isOn = (domain: string, { hostname, protocol }: URL): boolean =>
  /^https?:$/.test(protocol) && (hostname === domain || hostname.endsWith(`.${domain}`));

/**
 * Builds a link to another page of the site: that page's address with the link's name added. The tracker reads the name
 * on any page.
 * @param url of the link
 * @param domain of the program
 * @returns undefined if the address is not a page of the site
 */
export function deepLink(url: string, pageAddress: string, domain: string): string | undefined {
  const written = withScheme(pageAddress);
  if (!URL.canParse(written)) return undefined;
  const page = new URL(written);
  if (!isOn(domain, page) && page.origin !== new URL(url).origin) return undefined;
  for (const [name, value] of new URL(url).searchParams) if (name === 'aff') page.searchParams.set(name, value);
  return page.href;
}
