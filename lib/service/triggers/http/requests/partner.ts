import type * as z from 'zod/mini';
import { numericIdOf } from '#lib/domain/identifier.ts';
import { missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { NewLink, NewPartner } from '#lib/wire/requests/partner.ts';

/** @throws Refusal */
export function partnerBody(json: Json): z.output<typeof NewPartner> {
  if (json.name === undefined || json.email === undefined) throw missingFields(['name', 'email']);
  return parseBody(NewPartner, json);
}

/** The partner of a new link; undefined for what can be nobody's id. @throws Refusal */
export function partnerOfLink({ partner_id: partnerId }: Json): number | undefined {
  if (partnerId === undefined) throw missingFields(['partner_id']);
  return numericIdOf(partnerId);
}

/** The other fields of a new link. @throws Refusal */
export function linkBody(json: Json): { shortLink?: string; destinationUrl?: string } {
  const { short_link: shortLink, destination_url: destinationUrl } = parseBody(NewLink, json);
  return { shortLink, destinationUrl };
}

/** The body of a change of status. @throws Refusal */
export function statusBody<Status extends string>(json: Json, schema: z.ZodMiniType<{ status: Status }>): Status {
  if (json.status === undefined) throw missingFields(['status']);
  return parseBody(schema, json).status;
}
