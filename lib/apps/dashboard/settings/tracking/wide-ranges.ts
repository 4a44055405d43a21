/** A range with a shorter prefix is larger than any that one organisation owns. */
const LEAST_BITS = { ipv4: 8, ipv6: 32 };

/**
 * Finds ranges of addresses that cover a large part of the internet.
 * @param addresses in canonical spelling, in which single addresses have no prefix length
 */
export const wideRangesIn = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => {
    const [network, bits] = address.split('/');
    return bits !== undefined && Number(bits) < LEAST_BITS[network!.includes(':') ? 'ipv6' : 'ipv4'];
  });
