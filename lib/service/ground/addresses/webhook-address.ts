import ipaddr from 'ipaddr.js';

/** Webhook destinations that an installation allows or blocks in addition to the rules for all installations. */
export interface AddressPolicy {
  /** In a local run, webhooks may also be sent to the hosts `127.0.0.1` and `localhost`, and by http. */
  readonly allowsLoopback: boolean;
  /**
   * The installation's own URLs. They are never allowed: a webhook sent to the service could cause further webhooks
   * without end.
   */
  readonly own: readonly string[];
}

const LONGEST_ADDRESS = 2_048;
const FIRST_FREE_PORT = 1_024;
const HTTPS_PORT = 443;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** Reserved names that public DNS does not resolve. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|invalid|onion|home\.arpa)$/;
/** A domain name of two or more labels. The system could complete a single label to a local name. */
const PUBLIC_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The URL of an endpoint as requests use it: without fragment, and in canonical spelling, so that an IP address is
 * recognised in any spelling. The addresses to which a host name resolves are checked later, when a request is sent.
 * @returns undefined if requests to the URL are not allowed
 */
export function webhookAddressOf(text: string, { allowsLoopback, own }: AddressPolicy): string | undefined {
  const url = text.length <= LONGEST_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password || own.some((address) => isSamePlace(url, new URL(address))))
    return undefined;
  const isAllowed =
    allowsLoopback && isLoopback(url)
      ? url.protocol === 'https:' || url.protocol === 'http:'
      : url.protocol === 'https:' && isPublicHost(url.hostname) && isAllowedPort(portOf(url));
  url.hash = '';
  return isAllowed && url.href.length <= LONGEST_ADDRESS ? url.href : undefined;
}

/** Whether an endpoint is on this machine, which only a policy with `allowsLoopback` permits. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOSTS.has(hostname);

/**
 * Whether a resolved IP address is a global unicast address without special use. IPv6 addresses that embed an IPv4
 * address are excluded, because gateways would forward requests to that IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address)) return false;
  const { parts } = ipaddr.IPv6.parse(address);
  const isGlobal = parts[0]! >> 13 === 1;
  return isGlobal && !isIsatap(parts) && new ipaddr.IPv6(parts).range() === 'unicast';
}

/** An ISATAP tunnel interface: the last 32 bits are an IPv4 address. */
const isIsatap = (parts: readonly number[]): boolean => (parts[4]! & ~0x200) === 0 && parts[5] === 0x5efe;

/**
 * Whether a host may receive webhooks, judged by its name only.
 * @param hostname from a parsed URL, so IPv4 addresses are in dotted decimal
 */
const isPublicHost = (hostname: string): boolean =>
  ipaddr.isValid(hostname) || hostname.startsWith('[')
    ? isPublicAddress(hostname.replaceAll(/[[\]]/g, ''))
    : PUBLIC_NAME.test(hostname) && !PRIVATE_NAMES.test(hostname);

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? HTTPS_PORT : 80));
const isAllowedPort = (port: number): boolean => port === HTTPS_PORT || port >= FIRST_FREE_PORT;

/**
 * Whether two URLs lead to the same service. On this machine several services share one host, so their ports are
 * compared too.
 */
const isSamePlace = (one: URL, other: URL): boolean =>
  isLoopback(one) ? isLoopback(other) && portOf(one) === portOf(other) : one.hostname === other.hostname;
