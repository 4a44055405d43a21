import { numericIdOf } from '#lib/domain/identifier.ts';
import { missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { NewLink } from '#lib/wire/requests/partner.ts';

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
