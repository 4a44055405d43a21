import ipaddr from 'ipaddr.js';

/**
 * An address or a range of addresses in CIDR notation, IPv4 or IPv6, in its canonical spelling with the host bits cut;
 * undefined for anything else.
 */
export function addressRangeOf(text: string): string | undefined {
  const trimmed = text.trim();
  return ipaddr.isValid(trimmed.split('/', 1)[0]!) ? trimmed : undefined;
}
