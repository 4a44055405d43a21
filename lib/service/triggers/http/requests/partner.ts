import * as z from 'zod/mini';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { destinationOf, isShortLink } from '#lib/domain/referral-link.ts';
import { DESTINATION_INVALID, missingFields } from '#lib/domain/refusals.ts';
import { chosenFrom, parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { emailField, nameField, readAs } from '#lib/service/triggers/http/requests/fields.ts';

export const SHORT_LINK_INVALID = 'short_link must be 3 to 64 characters of A-Z, a-z, 0-9, _ and -';

const PartnerFields = z.object({ name: nameField, email: emailField });
const LinkFields = z.object({
  short_link: z.optional(z.string(SHORT_LINK_INVALID).check(z.refine(isShortLink, SHORT_LINK_INVALID))),
  destination_url: z.optional(readAs(z.string(DESTINATION_INVALID), destinationOf, DESTINATION_INVALID)),
});

/** @throws Refusal */
export function partnerBody(json: Json): z.output<typeof PartnerFields> {
  if (json.name === undefined || json.email === undefined) throw missingFields(['name', 'email']);
  return parseBody(PartnerFields, json);
}

/** The partner of a new link; undefined for what can be nobody's id. @throws Refusal */
export function partnerOfLink({ partner_id: partnerId }: Json): number | undefined {
  if (partnerId === undefined) throw missingFields(['partner_id']);
  return numericIdOf(partnerId);
}

/** The other fields of a new link. @throws Refusal */
export function linkBody(json: Json): { shortLink?: string; destinationUrl?: string } {
  const { short_link: shortLink, destination_url: destinationUrl } = parseBody(LinkFields, json);
  return { shortLink, destinationUrl };
}

/** The body of a change of status. @throws Refusal */
export function statusBody<Status extends string>(json: Json, valid: readonly [Status, ...Status[]]): Status {
  if (json.status === undefined) throw missingFields(['status']);
  return parseBody(z.object({ status: chosenFrom('status', valid) }), json).status;
}
