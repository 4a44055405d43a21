import * as z from 'zod/mini';
import { isPlainText } from '#lib/domain/identifier.ts';
import { signingSecretInvalid } from '#lib/domain/refusals.ts';
import { outOfBounds } from '#lib/wire/requests/bounds.ts';

const { message } = signingSecretInvalid();

/** The secret of a brand's own webhook endpoint. */
export const SigningSecret = z.object({
  signing_secret: z.string(message).check(
    z.trim(),
    z.refine(
      (secret) => /^whsec_./.test(secret) && isPlainText(secret),
      outOfBounds(message, { pattern: String.raw`^\s*whsec_` }),
    ),
  ),
});
