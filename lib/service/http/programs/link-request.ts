import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { missingFields } from '#lib/service/ground/values/refusals.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { NewLink } from '#lib/wire/partners/partner-request.ts';

/** The partner of a new link; undefined for an invalid id. @throws Refusal */
export function partnerOfLink({ partner_id: partnerId }: Json): number | undefined {
  if (partnerId === undefined) throw missingFields(['partner_id']);
  return numericIdOf(partnerId);
}

/** The other fields of a new link. @throws Refusal */
export function linkBody(json: Json): { shortLink?: string; destinationUrl?: string } {
  const { short_link: shortLink, destination_url: destinationUrl } = parseBody(NewLink, json);
  return { shortLink, destinationUrl };
}
