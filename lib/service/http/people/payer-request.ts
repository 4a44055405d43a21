import type { PayerChange } from '#lib/service/people/workspaces/payer.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { Payer, payerFields } from '#lib/wire/words/party-request.ts';

/** The fields that were sent. An empty text, which removes a value, is not checked. @throws Refusal */
export function payerChange(json: Json): PayerChange {
  const empty = payerFields.filter((field) => json[field] === '');
  const filled = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== ''));
  const { tax_id: taxId, ...sent } = {
    ...parseBody(Payer, filled),
    ...Object.fromEntries(empty.map((field) => [field, ''])),
  };
  return { ...sent, ...(taxId !== undefined && { taxId }) };
}
