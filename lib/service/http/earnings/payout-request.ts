import { type Currencies, type Currency } from '#lib/service/ground/values/currency.ts';
import { isDay } from '#lib/service/ground/values/day.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { PayoutTotals } from '#lib/service/earnings/payouts/payout.ts';
import type { PayoutChoice } from '#lib/service/earnings/recording/payout-choice.ts';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import {
  badRequest,
  chosenPartnersInvalid,
  dateInvalid,
  EXPECTED_TOTALS_INVALID,
  notOneOf,
  ONLY_WITH_DETAILS_INVALID,
  oneChoiceOfPartners,
} from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

/** The partner that a payout is restricted to. Undefined means all partners, 0 means that an invalid id was sent. */
export const partnerOfPayout = ({ partner_id: partnerId }: Json): number | undefined =>
  partnerId === undefined ? undefined : (numericIdOf(partnerId) ?? 0);

/** Reads from a request what a payout pays. The caller looks up `partner_id`, which is not read here. @throws Refusal */
export function choiceOfPayout(json: Json, currencies: Currencies): PayoutChoice {
  const through = throughOfPayout(json);
  const partnerIds = partnerList(json, 'partner_ids');
  const exceptPartnerIds = partnerList(json, 'except_partner_ids');
  if ([json['partner_id'], partnerIds, exceptPartnerIds].filter((one) => one !== undefined).length > 1) {
    throw oneChoiceOfPartners();
  }
  const method = chosenOf(json, 'method', payoutMethods);
  const currency: Currency | undefined = chosenOf(json, 'currency', currencies);
  const { only_with_details: only = false } = json;
  if (typeof only !== 'boolean') throw badRequest(ONLY_WITH_DETAILS_INVALID);
  return {
    partnerId: partnerOfPayout(json),
    partnerIds,
    exceptPartnerIds,
    through,
    method,
    currency,
    ...(only && { onlyWithDetails: true as const }),
  };
}

const MOST_PARTNERS = 10_000;

const isId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id);

/** Distinct partner ids in ascending order. */
function partnerList(json: Json, field: 'partner_ids' | 'except_partner_ids'): readonly number[] | undefined {
  const sent = json[field];
  if (sent === undefined) return undefined;
  const ids: unknown[] = Array.isArray(sent) ? sent : [];
  if (ids.length === 0 || ids.length > MOST_PARTNERS || !ids.every(isId) || new Set(ids).size < ids.length) {
    throw chosenPartnersInvalid(field);
  }
  return ids.toSorted((a, b) => a - b);
}

function chosenOf<Value extends string>(json: Json, field: string, valid: readonly Value[]): Value | undefined {
  const sent = json[field];
  const value = valid.find((one) => one === sent);
  if (sent !== undefined && value === undefined) throw notOneOf(field, sent, valid);
  return value;
}

function throughOfPayout({ through }: Json): string | undefined {
  if (through !== undefined && !(typeof through === 'string' && isDay(through))) throw dateInvalid('through');
  return through;
}

/** The totals that the caller expects; undefined if the caller accepts any totals. @throws Refusal */
export function expectedTotals({ expected_totals: sent }: Json): PayoutTotals | undefined {
  if (sent === undefined || sent === null) return undefined;
  const isByCurrency = typeof sent === 'object' && !Array.isArray(sent);
  if (!isByCurrency || !Object.values(sent).every(Number.isSafeInteger)) throw badRequest(EXPECTED_TOTALS_INVALID);
  return sent as PayoutTotals;
}
