import type { Party } from '#lib/service/ground/parties/party.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { Party as SentParty } from '#lib/wire/words/party-request.ts';

/** The billing details in a body. @throws Refusal for the first wrong field */
export function billingParty(json: Json): Party {
  const { tax_id: taxId, ...sent } = parseBody(SentParty, json);
  return { ...sent, ...(taxId !== undefined && { taxId }) };
}
