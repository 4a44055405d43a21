import Stripe from 'stripe';

/** Contract 14.1. */
const TOLERANCE_SECONDS = 300;

/** Stripe's library refuses old signatures only; one from the future is as wrong. */
const isTimely = (header: string, now: Date): boolean => {
  const seconds = Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]);
  return seconds - now.getTime() / 1000 <= TOLERANCE_SECONDS;
};

/**
 * Whether one of the secrets has signed exactly this body, at about this time.
 * @param header `Stripe-Signature`
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
    // The last argument is the service's clock; without it the machine's would count.
    return Stripe.webhooks.signature!.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
