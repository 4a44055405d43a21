import { canonical } from '#lib/service/ground/changes/audit.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/** Selects what a payout pays. */
export interface PayoutChoice {
  /** Pays only this partner; undefined means all. At most one of this, `partnerIds` and `exceptPartnerIds` is set. */
  readonly partnerId?: number;
  /** Pays only these partners, in ascending order of ids. */
  readonly partnerIds?: readonly number[];
  /** Pays all partners except these, in ascending order of ids. */
  readonly exceptPartnerIds?: readonly number[];
  /**
   * The last day: commissions of payments after it are not paid. Adjustments of commissions already paid are included
   * regardless of their day.
   */
  readonly through?: Day;
  readonly method?: ShownPayoutDetails['method'];
  readonly currency?: Currency;
  /** Leaves out partners without payout details. */
  readonly onlyWithDetails?: true;
}

export const isSameChoice = (one: PayoutChoice, other: PayoutChoice): boolean =>
  canonical(withoutGaps(one)) === canonical(withoutGaps(other));

const withoutGaps = (choice: PayoutChoice): PayoutChoice =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));

/** Whether the payout details of each partner must be read to decide whether the payout pays the partner. */
export const needsDetails = ({ method, onlyWithDetails }: PayoutChoice): boolean =>
  method !== undefined || onlyWithDetails === true;

/** Whether the payout pays a partner, as far as this does not depend on the partner's payout details. */
export function choosesPartner({ partnerId, partnerIds, exceptPartnerIds }: PayoutChoice): (id: number) => boolean {
  const [only, except] = [partnerIds && new Set(partnerIds), new Set(exceptPartnerIds)];
  return (id) => (partnerId === undefined || id === partnerId) && (only?.has(id) ?? true) && !except.has(id);
}
