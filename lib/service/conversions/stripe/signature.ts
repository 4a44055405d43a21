import Stripe from 'stripe';

/** Largest accepted difference between the signed time and now. */
const TOLERANCE_SECONDS = 300;

/**
 * The signing time in the header. Undefined if the header is malformed. It is parsed here, because Stripe's library
 * throws for some malformed headers and accepts others.
 */
function signedAtSeconds(header: string): number | undefined {
  const parts = header.split(',');
  const times = parts.filter((part) => part.startsWith('t='));
  const signatures = parts.filter((part) => part.startsWith('v1='));
  const isWellFormed =
    parts.every((part) => /^\w+=\w+$/.test(part)) &&
    times.length === 1 &&
    /^t=[1-9]\d{0,14}$/.test(times[0]!) &&
    signatures.every((part) => /^v1=[0-9a-f]{64}$/.test(part));
  return isWellFormed ? Number(times[0]!.slice(2)) : undefined;
}

/** Stripe's library rejects signatures only if they are too old. Those from the future are rejected here. */
const isTimely = (header: string, now: Date): boolean => {
  const seconds = signedAtSeconds(header);
  return seconds !== undefined && seconds - now.getTime() / 1000 <= TOLERANCE_SECONDS;
};

/**
 * Whether the header contains a timely signature of exactly this body, made with one of the secrets.
 * @param header the `Stripe-Signature` header
 */
export const isSigned = (
  body: string | Buffer,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean =>
  header !== undefined && isTimely(header, now) && secrets.some((secret) => isSignedWith(secret, body, header, now));

function isSignedWith(secret: string, body: string | Buffer, header: string, now: Date): boolean {
  try {
    // The last argument makes the library use the service's clock instead of the machine's.
    return Stripe.webhooks.signature!.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
