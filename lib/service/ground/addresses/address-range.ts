import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;

/**
 * An IPv4 or IPv6 address or CIDR range in canonical spelling, with the host bits cleared. An IPv4-mapped IPv6 address
 * becomes IPv4. Undefined if the text is neither.
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

/** Whether a text is an address in its usual notation: no octal, hexadecimal or shortened forms. */
export const isPlainAddress = (text: string): boolean => parsedAddress(text) !== undefined;

/** Accepts the usual notation only: IPv4 as four decimal numbers, IPv6 without a zone. */
function parsedAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

const networkOf = (address: Address, length: number): Address =>
  address instanceof ipaddr.IPv4
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${length}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${length}`);
