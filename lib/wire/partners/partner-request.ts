import * as z from 'zod/mini';
import { membershipStatuses } from '#lib/service/programs/partners/partner.ts';
import { destinationOf, isShortLink, linkStatuses, SHORT_LINK } from '#lib/service/programs/links/referral-link.ts';
import { DESTINATION_INVALID } from '#lib/service/ground/values/refusals.ts';
import { outOfBounds } from '#lib/wire/programs/bounds-request.ts';
import { codeField } from '#lib/wire/programs/codes/code-request.ts';
import { chosenFrom, emailField, nameField, readAs } from '#lib/wire/words/fields-request.ts';

export const SHORT_LINK_INVALID = 'short_link must be 3 to 64 characters of A-Z, a-z, 0-9, _ and -';

export const INVITE_INVALID = 'invite must be a boolean';

export const NewPartner = z.object({ name: nameField, email: emailField });
/** Whether the person is invited and must accept before becoming a partner. */
export const Invite = z.object({ invite: z.optional(z.boolean(INVITE_INVALID)) });
export const PartnerChange = z.object({
  status: z.optional(chosenFrom('status', membershipStatuses)),
  name: z.optional(nameField),
  email: z.optional(emailField),
});

const shortLink = z.optional(
  z
    .string(SHORT_LINK_INVALID)
    .check(z.refine(isShortLink, outOfBounds(SHORT_LINK_INVALID, { pattern: SHORT_LINK.source }))),
);

/** The link and code for a new partner. Invited people get them when they accept. */
export const Wishes = z.object({ short_link: shortLink, code: z.optional(codeField) });

/** The fields of a new link that are checked after the link's partner was loaded. */
export const NewLink = z.object({
  short_link: shortLink,
  destination_url: z.optional(readAs(z.string(DESTINATION_INVALID), destinationOf, DESTINATION_INVALID)),
});
export const LinkStatusChange = z.object({ status: chosenFrom('status', linkStatuses) });
