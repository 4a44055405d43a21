import type { Commission, CommissionStatus } from '#lib/service/earnings/commissions/commission.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import { type UnsettledCommission, unsettledPart } from '#lib/service/earnings/commissions/unsettled-commission.ts';
import { type IndexKey, indexKeys, type PartnerIndexKey, partnerIndexKeys } from '#lib/service/ground/table/keys.ts';

const notListed = { gsi1pk: undefined, gsi1sk: undefined };

/** One of these texts ends the index key of a commission that a rule has flagged, or that only a person can approve. */
const FLAGGED = 'flagged';
const BY_HAND = 'by_hand';

/** The index keys of a commission. Undefined keys remove it from an index. */
export type CommissionListing = (IndexKey | typeof notListed) & PartnerIndexKey;

/**
 * The keys that list a commission with its program's unsettled commissions and with its partner's commissions. The key
 * of an unsettled commission contains all that a payout needs, so owed amounts can be summed up from the index alone.
 */
export function commissionListing(commission: Commission): CommissionListing {
  const { programId, partnerId, createdAt, id } = commission;
  const part = unsettledPart(commission);
  if (!part) return { ...notListed, ...partnerIndexKeys.settledCommission(programId, partnerId, createdAt, id) };
  const { currency, status, openCents, holdUntil, saleDay, isFlagged, byHand } = part;
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
    ...(byHand ? [BY_HAND] : []),
  ].join('#');
  return { gsi1pk, gsi1sk: place, ...partnerIndexKeys.openCommission(programId, partnerId, place) };
}

/** Parses the index key of an unsettled commission. */
export function unsettledListedAt(place: string): UnsettledCommission {
  const [, id, partnerId, currency, status, openCents, holdUntil, saleDay, ...marks] = place.split('#');
  return {
    id: Number(id),
    partnerId: Number(partnerId),
    currency: currency as Currency,
    status: status as CommissionStatus,
    openCents: Number(openCents),
    holdUntil: holdUntil!,
    saleDay: saleDay!,
    ...(marks.includes(FLAGGED) && { isFlagged: true as const }),
    ...(marks.includes(BY_HAND) && { byHand: true as const }),
  };
}

/**
 * The time and id at the start of an index key. A page's cursor contains only this part, because the rest may change
 * before the next page is requested. A list in descending order continues after this position.
 */
export const pageEndAt = (place: string): string => place.split('#', 2).join('#');
