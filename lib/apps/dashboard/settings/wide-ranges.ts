/** The shortest prefixes that an organisation may have to itself. */
const LEAST_BITS = { ipv4: 8, ipv6: 32 };

/** Those that cover much of the internet. @param addresses as the service spells them: single ones have no prefix */
export const wideRangesIn = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => {
    const [network, bits] = address.split('/');
    return bits !== undefined && Number(bits) < LEAST_BITS[network!.includes(':') ? 'ipv6' : 'ipv4'];
  });
