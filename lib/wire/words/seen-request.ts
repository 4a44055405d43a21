import * as z from 'zod/mini';
import { badRequest, changedMeanwhile, SEEN_INVALID } from '#lib/service/ground/values/refusals.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { named } from '#lib/wire/words/fields.ts';

/**
 * The values that the caller had read. A change that several people may make concurrently accepts these values in its
 * body.
 */
export const seen = z.optional(
  named(
    'Seen',
    z.nullable(z.record(z.string(), z.unknown())),
    'The former values, by name, of fields in this request, as you read them. If one has changed since, nothing is changed, and the reply is 409 with the present values of these fields.',
  ),
);

export const seenRefusals = [badRequest(SEEN_INVALID), changedMeanwhile({ '{fields}': ANY_TEXT }, ANY_TEXT, ANY_TEXT)];
