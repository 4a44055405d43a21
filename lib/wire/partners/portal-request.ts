import * as z from 'zod/mini';
import { JOIN_MESSAGE_INVALID, WEBSITE_INVALID } from '#lib/service/ground/values/refusals.ts';
import { destinationOf } from '#lib/service/programs/links/referral-link.ts';
import { longText, readAs } from '#lib/wire/words/fields-request.ts';

const LONGEST_MESSAGE = 2_000;
export const MAIL_INVALID = 'mail must be a boolean';

/**
 * The body with which a person asks to become a partner. Whether the version of the partner terms is the newest is
 * checked later, not by this schema.
 */
export const JoinRequest = z.object({
  message: z.optional(longText(LONGEST_MESSAGE, JOIN_MESSAGE_INVALID)),
  website: z.optional(readAs(z.string(WEBSITE_INVALID), destinationOf, WEBSITE_INVALID)),
});
export const MailChoice = z.object({ mail: z.boolean(MAIL_INVALID) });
