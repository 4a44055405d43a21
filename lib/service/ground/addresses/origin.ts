const LONGEST_HOST = 253;
/** Maximum labels of the domain after `*.`: an unknown origin costs one read per parent domain of its host. */
const MOST_LABELS = 5;

/** `scheme://host[:port]` of a URL in canonical spelling; undefined if there is none, or if it is the origin `null`. */
export function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.hostname.length <= LONGEST_HOST ? url.origin : undefined;
}

/** All allow-list entries that match this origin: the origin itself, and `*.x` for each parent domain x of its host. */
export function originPatterns(origin: string): string[] {
  const { protocol, hostname, port } = new URL(origin);
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const parents = isAddress ? [] : labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
  return [origin, ...parents.slice(-MOST_LABELS).map((parent) => `${protocol}//*.${parent}${port ? `:${port}` : ''}`)];
}

export const originIsAllowed = (origin: string, allowed: readonly string[]): boolean =>
  originPatterns(origin).some((pattern) => allowed.includes(pattern));

const HOST =
  /^(?=.{1,253}(?::|$))[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:\d{1,5})?$/;

/** A domain in lower case, without scheme, path and trailing slash. */
export const strippedDomain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#].*$/s, '');

/** A host name with optional port, spelled as in an https origin; undefined for anything else. */
export const hostOf = (text: string): string | undefined => plainHost(`https://${strippedDomain(text)}`);

/**
 * An allow-list entry in canonical spelling: an origin, or `scheme://*.domain[:port]` with at most five labels in the
 * domain. Undefined for anything else.
 */
export function originPatternOf(text: string): string | undefined {
  const [, scheme = '', wildcard = '', rest = ''] = /^(https?):\/\/(\*\.)?([^/?#\s]+)$/i.exec(text.trim()) ?? [];
  const host = plainHost(`${scheme}://${rest}`);
  if (wildcard && host && host.split('.').length > MOST_LABELS) return undefined;
  return host === undefined ? undefined : `${scheme.toLowerCase()}://${wildcard}${host}`;
}

/** An entry of a referrer list: a host without port, or `*.` followed by one; undefined for anything else. */
export function referrerPatternOf(text: string): string | undefined {
  const trimmed = text.trim();
  const isWildcard = trimmed.startsWith('*.');
  const rest = isWildcard ? trimmed.slice(2) : trimmed;
  const host = hostOf(rest);
  if (host === undefined || host.includes(':') || (isWildcard && /[\s/]/.test(rest))) return undefined;
  return isWildcard ? `*.${host}` : host;
}

/**
 * The entry of a referrer list that matches a host: the host itself, or `*.x` for a host below `x`.
 * @param host in lower case
 */
export const listedReferrer = (host: string, patterns: readonly string[]): string | undefined =>
  patterns.find((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

/** Host and port of a URL without credentials, if the host is a name or an IPv4 address. Omits a default port. */
function plainHost(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && !url.username && !url.password && HOST.test(url.host) ? url.host : undefined;
}

/**
 * `localhost`, names below it, and loopback addresses. Sites at these names are under development and have no
 * certificate, so their URLs use http.
 */
const LOOPBACK = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3})(:\d+)?$/;

/** The URL of a program's site, without a trailing slash. */
export const siteOf = (domain: string): string => `${LOOPBACK.test(domain) ? 'http' : 'https'}://${domain}`;

/**
 * The default allow-list of a program: its domain without `www.`, and all subdomains. The list is empty if the domain
 * is not a valid host.
 */
export function originsOfDomain(domain: string): string[] {
  const site = siteOf(domain.replace(/^www\.(?=.*\.)/, ''));
  return [site, ...(isAddress(domain) ? [] : [site.replace('://', '://*.')])].flatMap(
    (pattern) => originPatternOf(pattern) ?? [],
  );
}

const isAddress = (domain: string): boolean => /^[\d.]+(:\d+)?$/.test(domain);
