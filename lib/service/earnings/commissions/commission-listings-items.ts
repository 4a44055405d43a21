import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import { type IndexKey, indexKeys, type PartnerIndexKey, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';

const notListed = { gsi1pk: undefined, gsi1sk: undefined };

/** Ends the place of a flagged commission. */
const FLAGGED = 'flagged';

/** Where a commission appears in both indexes; undefined takes it out of one. */
export type CommissionListing = (IndexKey | typeof notListed) & PartnerIndexKey;

/**
 * Where a commission appears among the unsettled ones of its program, and among its partner's. The place of an unsettled
 * one repeats all that a payout has to know, so that what is owed is summed up without reading the items.
 */
export function commissionListing(commission: Commission): CommissionListing {
  const { programId, partnerId, createdAt, id } = commission;
  const part = unsettledPart(commission);
  if (!part) return { ...notListed, ...partnerIndexKeys.settledCommission(programId, partnerId, createdAt, id) };
  const { currency, status, openCents, holdUntil, saleDay, isFlagged } = part;
  const { gsi1pk, gsi1sk } = indexKeys.unsettledCommission(programId, createdAt, id);
  const place = [
    gsi1sk,
    partnerId,
    currency,
    status,
    openCents,
    holdUntil,
    saleDay,
    ...(isFlagged ? [FLAGGED] : []),
  ].join('#');
  return { gsi1pk, gsi1sk: place, ...partnerIndexKeys.openCommission(programId, partnerId, place) };
}

/** The unsettled commission whose place in its list this is. */
export function unsettledListedAt(place: string): UnsettledCommission {
  const [, id, partnerId, currency, status, openCents, holdUntil, saleDay, mark] = place.split('#');
  return {
    id: Number(id),
    partnerId: Number(partnerId),
    currency: currency as Currency,
    status: status as CommissionStatus,
    openCents: Number(openCents),
    holdUntil: holdUntil!,
    saleDay: saleDay!,
    ...(mark === FLAGGED && { isFlagged: true as const }),
  };
}

/**
 * The time and id with which a place begins. A page ends there, because the rest may change before the next page is asked
 * for; in a list that begins with the newest one that continues behind it.
 */
export const pageEndAt = (place: string): string => place.split('#', 2).join('#');
