import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A text of uniformly random characters from the alphabet. Random bytes that would make some characters more likely are
 * discarded.
 */
function randomText(alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** All random values of the service, from the system's cryptographic source. */
export const random = {
  clickId: () => `clk_${randomText(CROCKFORD, 26)}`,
  testClickId: () => `clk_test_${randomText(CROCKFORD, 26)}`,
  programKeySecret: () => randomText(BASE62, 32),
  agentKey: () => `agt_${randomText(BASE62, 40)}`,
  loginToken: () => `lgn_${randomText(BASE62, 40)}`,
  connectState: () => randomBytes(32).toString('base64url'),
  exportId: () => randomBytes(32).toString('base64url'),
  webhookSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
  edgeSecret: () => randomBytes(32).toString('base64url'),
  refusalToken: () => randomBytes(32).toString('base64url'),
  loginState: () => randomBytes(32).toString('base64url'),
  saleIdEnd: () => randomText(CROCKFORD, 26),
  suffix: () => randomText(CROCKFORD, 6),
  shortLink: () => randomText(CROCKFORD, 8),
  salt: () => randomBytes(32).toString('base64url'),
  auditId: () => `aud_${randomText(CROCKFORD, 16)}`,
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  fraction: () => randomInt(2 ** 47) / 2 ** 47,
  probeRun: () => randomUUID(),
  // Uses Node's pool of random bytes: fetching 16 bytes per request costs 2 % of its CPU time.
  requestId: () => randomUUID().replaceAll('-', ''),
};

export type Random = typeof random;
