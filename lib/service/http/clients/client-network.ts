import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The network under which requests from an address are counted: for IPv4 the address itself, for IPv6 its /64 network,
 * which belongs to one subscriber. Addresses are normalized; any other text is returned unchanged.
 */
export function clientNetwork(text: string): string {
  const address = plainAddress(text);
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** Returns an address without zone, brackets and port. IPv4 addresses mapped into IPv6 are converted to IPv4. */
export function plainAddress(text: string): string {
  const address = bareAddress(text);
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(groups.slice(6)) : address;
}

/** Whether an address is in one of these ranges. @param ranges addresses, or CIDR notation */
export function isInRanges(text: string, ranges: readonly string[]): boolean {
  const address = plainAddress(text);
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    // Without this line, the block list would also match IPv4 addresses with IPv6 ranges.
    if (isIP(network) !== version) continue;
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, family);
}

/** Removes zone, brackets and port. An IPv6 address with a port but without brackets may get one group too many. */
function bareAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? text).split('%');
  const beforePort = address.replace(/:\d+$/, '');
  return isIPv4(beforePort) || (!isIPv6(address) && isIPv6(beforePort)) ? beforePort : address;
}

/**
 * Returns the eight groups of an IPv6 address in lower case without leading zeros. The address is first read by the URL
 * parser, which also accepts an ending in IPv4 notation. The parser's result is compressed, so the missing zeros are
 * added.
 */
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
