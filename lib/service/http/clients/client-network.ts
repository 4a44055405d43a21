import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The key under which an address is counted: an IPv4 address itself, an IPv6 address by its /64, which one subscriber
 * gets. Addresses are normalized; anything else is used as it is.
 */
export function clientNetwork(text: string): string {
  const address = plainAddress(text);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** An address without zone, brackets and port; an IPv4 address also where it is mapped into IPv6. */
export function plainAddress(text: string): string {
  const address = bareAddress(text);
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(groups.slice(6)) : address;
}

/** Whether an address is one of these, or in one of these ranges. @param ranges addresses, or CIDR notation */
export function isInRanges(text: string, ranges: readonly string[]): boolean {
  const address = plainAddress(text);
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    // The list by itself would find IPv4 addresses in ranges of IPv6.
    if (isIP(network) !== version) continue;
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, family);
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
