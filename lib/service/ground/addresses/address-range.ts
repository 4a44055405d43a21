import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;

/**
 * An address or a range of addresses in CIDR notation, IPv4 or IPv6, in its canonical spelling with the host bits cut;
 * an IPv4 address that is mapped into IPv6 as IPv4. Undefined for anything else.
 */
export function addressRangeOf(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const parsed = parsedAddress(address);
  if (!parsed || rest.length > 0) return undefined;
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  const plain = isMapped ? parsed.toIPv4Address() : parsed;
  if (bits === undefined) return plain.toString();
  const length = /^(0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) - (isMapped ? MAPPED_BITS : 0) : -1;
  if (length < 0 || length > 8 * plain.toByteArray().length) return undefined;
  return `${networkOf(plain, length).toString()}/${length}`;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether a text is an address as people write them: no octal, hexadecimal or short forms. */
export const isPlainAddress = (text: string): boolean => parsedAddress(text) !== undefined;

/** Only as people write them: IPv4 in four decimal numbers, IPv6 without zone. */
function parsedAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

const networkOf = (address: Address, length: number): Address =>
  address instanceof ipaddr.IPv4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${length}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${length}`);
