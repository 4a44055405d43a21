/** The shortest prefix lengths that a single organisation may own. */
const LEAST_BITS = { ipv4: 8, ipv6: 32 };

/**
 * Ranges that cover a large part of the internet.
 * @param addresses in canonical spelling: single ones have no prefix
 */
export const wideRangesIn = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => {
    const [network, bits] = address.split('/');
    return bits !== undefined && Number(bits) < LEAST_BITS[network!.includes(':') ? 'ipv6' : 'ipv4'];
  });
