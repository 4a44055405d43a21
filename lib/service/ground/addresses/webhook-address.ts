import ipaddr from 'ipaddr.js';

/** What an installation allows beyond the rule for all. */
export interface AddressPolicy {
  /** A local run sends to this machine too: to exactly the hosts `127.0.0.1` and `localhost`, also over http. */
  readonly allowsLoopback: boolean;
  /** The installation's own addresses, to which it never sends: an endpoint there would bring new events for ever. */
  readonly own: readonly string[];
}

const LONGEST_ADDRESS = 2_048;
const FIRST_FREE_PORT = 1_024;
const HTTPS_PORT = 443;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** Names that no public name server answers for. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|invalid|onion|home\.arpa)$/;
/** A name of two parts or more, which no search list of the resolver completes. */
const PUBLIC_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The address of an endpoint as requests will be sent to it: in canonical spelling, so that every spelling of an IP
 * address is judged alike, and without fragment. What a name resolves to is judged when something is sent.
 * @returns undefined when nothing may be sent there
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

/** Whether an endpoint is one of those on this machine. Only a policy that allows them has any. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOSTS.has(hostname);

/**
 * Whether an IP address, as name servers answer it, is reached through the internet: a global unicast address of no
 * special use. Of IPv6, those that contain an IPv4 address are none, because gateways would send on to that.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address)) return false;
  const { parts } = ipaddr.IPv6.parse(address);
  const isGlobal = parts[0]! >> 13 === 1;
  return isGlobal && !isIsatap(parts) && new ipaddr.IPv6(parts).range() === 'unicast';
}

/** An interface of the tunnel protocol ISATAP: the last 32 bits are an IPv4 address. */
const isIsatap = (parts: readonly number[]): boolean => (parts[4]! & ~0x200) === 0 && parts[5] === 0x5efe;

/** @param hostname of a URL, so that an IPv4 address is in its usual spelling */
const isPublicHost = (hostname: string): boolean =>
  ipaddr.isValid(hostname) || hostname.startsWith('[')
    ? isPublicAddress(hostname.replaceAll(/[[\]]/g, ''))
    : PUBLIC_NAME.test(hostname) && !PRIVATE_NAMES.test(hostname);

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? HTTPS_PORT : 80));
const isAllowedPort = (port: number): boolean => port === HTTPS_PORT || port >= FIRST_FREE_PORT;

/** On this machine many services share one host, and it has two names. */
const isSamePlace = (one: URL, other: URL): boolean =>
  isLoopback(one) ? isLoopback(other) && portOf(one) === portOf(other) : one.hostname === other.hostname;
