import { isIPv4, isIPv6 } from 'node:net';

/**
 * The key under which an address is counted: an IPv4 address itself, an IPv6 address by its /64, which one subscriber
 * gets. Addresses are normalized; anything else is used as it is.
 */
export function clientNetwork(text: string): string {
  const address = bareAddress(text);
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** Without zone, brackets and port. An IPv6 address with a port but without brackets may have one group too many. */
function bareAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? text).split('%');
  const beforePort = address.replace(/:\d+$/, '');
  return isIPv4(beforePort) || (!isIPv6(address) && isIPv6(beforePort)) ? beforePort : address;
}

/** The eight groups, in lower case without leading zeros. The URL parser compresses, and accepts dotted endings. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => (part ? part.split(':') : []));
  const zeros = Array.from({ length: 8 - before!.length - after!.length }, () => '0');
  return [...before!, ...zeros, ...after!];
}

const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
