import { isEnd, type LineStatus, lineStatuses } from '#lib/service/earnings/lines/payout-line.ts';
import type { LineFilter } from '#lib/service/earnings/lines/read-lines.ts';
import type { Currencies } from '#lib/service/ground/values/currency.ts';
import { notOneOf } from '#lib/service/ground/values/refusals.ts';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import type { RequestInput } from '#lib/service/http/callers/account-endpoint.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import { chosenQuery, idQuery } from '#lib/service/http/messages/query.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { LineIds } from '#lib/wire/earnings/payout-lines-request.ts';
import { PayoutReference } from '#lib/wire/earnings/payout-reference-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';

/** Query parameters that filter payout lines. */
export const lineFilters = ['status', 'currency', 'partner_id', 'method'] as const;

/** The filter of a list of payout lines. @throws Refusal */
export const lineFilter = (sent: RequestInput, currencies: Currencies): LineFilter => ({
  status: chosenQuery(sent, 'status', lineStatuses),
  currency: chosenQuery(sent, 'currency', currencies),
  partnerId: idQuery(sent, 'partner_id'),
  method: chosenQuery(sent, 'method', [...payoutMethods, 'none']),
});

/** The change of several payout lines. @throws Refusal */
export function lineChange(json: Json) {
  const { ids } = parseBody(LineIds, json);
  const status = statusIn(json);
  const { reason } = isEnd(status) ? parseBody(Reason, json) : {};
  const { reference } = json['reference'] === undefined ? {} : parseBody(PayoutReference, json);
  return { ids, status, reason, reference };
}

function statusIn({ status: sent }: Json): LineStatus {
  const status = lineStatuses.find((one) => one === sent);
  if (status === undefined) throw notOneOf('status', sent, lineStatuses);
  return status;
}

/** Whether a request marks lines as failed or void, so that the next payout pays their amounts again. */
export const endsLines = ({ status }: Json): boolean => status === 'failed' || status === 'void';
