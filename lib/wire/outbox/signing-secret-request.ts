import * as z from 'zod/mini';
import { isPlainText } from '#lib/service/ground/values/identifier.ts';
import { signingSecretInvalid } from '#lib/service/ground/values/refusals.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';

const { message } = signingSecretInvalid();

/** The secret with which the processor signs events to a program's own endpoint. */
export const SigningSecret = z.object({
  signing_secret: z.string(message).check(
    z.trim(),
    z.refine(
      (secret) => /^whsec_./.test(secret) && isPlainText(secret),
      outOfBounds(message, { pattern: String.raw`^\s*whsec_` }),
    ),
  ),
});
