import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import { parseBody, parseCompleteBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import {
  PayoutMethod,
  ToAccountNumber,
  ToAddress,
  ToIban,
  ToOther,
  WithBic,
} from '#lib/wire/partners/payout-details-request.ts';

/** Fields of a bank account without an IBAN. */
const { account_holder: _, ...accountFields } = ToAccountNumber.shape;

/** The payout details in a body. @throws Refusal for the first wrong field; the method is checked first */
export function payoutDetails(json: Json): PayoutDetails {
  const { method } = parseCompleteBody(PayoutMethod, json);
  if (method === 'other') return { method, ...parseCompleteBody(ToOther, json) };
  const namesIban = json.account_holder !== undefined && json.iban !== undefined;
  if (method === 'wise' && json.email === undefined && namesIban) return { method, ...toIban(json) };
  if (method !== 'bank') return { method, ...parseCompleteBody(ToAddress, json) };
  const namesAccount = json.iban === undefined && Object.keys(accountFields).some((field) => json[field] !== undefined);
  return namesAccount
    ? { method, ...parseCompleteBody(ToAccountNumber, json), ...parseBody(WithBic, json) }
    : { method, ...toIban(json) };
}

const toIban = (json: Json) => ({ ...parseCompleteBody(ToIban, json), ...parseBody(WithBic, json) });
