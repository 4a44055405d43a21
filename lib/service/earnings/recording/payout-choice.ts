import { canonical } from '#lib/service/ground/changes/audit.ts';
import type { Currency } from '#lib/service/ground/values/currency.ts';
import type { Day } from '#lib/service/ground/values/day.ts';
import type { ShownPayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';

/** Selects what a payout pays. */
export interface PayoutChoice {
  /** Undefined means all partners. At most one of this and the two lists. */
  readonly partnerId?: number;
  /** Only these partners, in ascending order. */
  readonly partnerIds?: readonly number[];
  /** All partners but these, in ascending order. */
  readonly exceptPartnerIds?: readonly number[];
  /** Last payment day. Adjustments of commissions already paid are included regardless of their day. */
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

/** Whether a choice looks at payout details, which take reads for each partner. */
export const needsDetails = ({ method, onlyWithDetails }: PayoutChoice): boolean =>
  method !== undefined || onlyWithDetails === true;

/** Whether a partner is chosen, apart from the payout details. */
export function choosesPartner({ partnerId, partnerIds, exceptPartnerIds }: PayoutChoice): (id: number) => boolean {
  const [only, except] = [partnerIds && new Set(partnerIds), new Set(exceptPartnerIds)];
  return (id) => (partnerId === undefined || id === partnerId) && (only?.has(id) ?? true) && !except.has(id);
}
