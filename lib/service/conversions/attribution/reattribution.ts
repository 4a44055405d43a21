import type { AuditRow, Commission, SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { isFinal, type StatusChange } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import { timeAfter } from '#lib/service/ground/changes/versions.ts';
import type { AttributedCustomer, Customer } from '#lib/service/traffic/customers/customer.ts';
import { contradictedBy } from '#lib/service/earnings/commissions/overruled-claim.ts';
import {
  type RefundShare,
  type StoredStep,
  withRefunds,
} from '#lib/service/conversions/refunds/refunded-commission.ts';
import { verdictOf } from '#lib/service/earnings/commissions/rules-that-fit.ts';
import { changedAtOf, type Sale } from '#lib/service/conversions/sales/sale.ts';
import { type AttributedSale, withCommission } from '#lib/service/conversions/sales/sale-decision.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';

/** The reason in the history row of a commission that moved to another partner. */
const MOVED = 'the customer of the payment became known';

/**
 * The history of a commission as its present partner sees it: without the rows from before it moved to this partner.
 */
export function historyOfPartner({ history }: Pick<Commission, 'history'>): readonly AuditRow[] {
  const at = history.findLastIndex(({ action, reason }) => action === 'recalculated' && reason === MOVED);
  return at < 0 ? history : [{ ...history[at]!, action: 'created', reason: null }, ...history.slice(at + 1)];
}

/** A sale and its commission. */
interface EarningSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
}

/**
 * The sale and its commission as they are after the move to the new customer. `shares` says what each of the sale's
 * refunds deducts from that commission, in the order of the refunds.
 */
interface ReattributedSale extends EarningSale {
  readonly shares: readonly RefundShare[];
}

/** Whether a sale was attributed only by coupon code, so that its payment created this customer. */
export const isByCodeAlone = ({ id, attribution }: Sale, customer: Customer | undefined): customer is Customer =>
  attribution?.resolvedBy === 'code' &&
  customer?.source === 'code' &&
  customer.id === id &&
  customer.leadState === undefined &&
  customer.partnerId === attribution.partnerId &&
  customer.erasedAt === undefined &&
  customer.unlinkedAt === undefined;

/** The customer as it was before this sale. Undefined if the sale's coupon code created it. */
export function beforeSale<One extends AttributedCustomer>(
  customer: One | undefined,
  { attribution }: Sale,
): One | undefined {
  if (!attribution || customer?.clickId !== attribution.clickId) return customer;
  if (attribution.resolvedBy === 'code') return undefined;
  // `window` is stored only with a customer's first sale, because the attribution window does not apply to later sales.
  // So if it is set, the customer was still a lead before this sale.
  return attribution.window ? { ...customer, status: 'lead' } : customer;
}

/**
 * Whether the sale's payer was linked to this customer only by the e-mail address. The payer then had no customer
 * before this sale.
 */
export const boundPayer = ({ attribution }: Sale): boolean =>
  attribution?.isByAddressAlone === true && attribution.resolvedBy === 'email';

/**
 * Whether a later event tells more about the payer of a sale that was attributed only by e-mail address: it contains a
 * further identifier of the same customer, or an identifier of another customer.
 */
export const containsMore = (
  { isByAddressAlone, overruled }: Pick<Resolved, 'isByAddressAlone' | 'overruled'>,
  { attribution }: Sale,
): boolean =>
  attribution?.isByAddressAlone === true &&
  (!isByAddressAlone ||
    (contradictedBy({ isByAddressAlone, overruled }) !== undefined && !contradictedBy(attribution)));

/** Whether a sale may still move to another customer. False after its commission was paid or rejected. */
export const mayMove = (commission: SaleCommission | undefined): boolean => !commission || !isFinal(commission);

/**
 * Attributes a recorded sale to another customer. The commission is computed again by the terms of that customer's
 * partner and must be approved again. Each refund deducts from the commission the share that it refunded of the sale.
 * @param decision attribution and commission of the sale, decided again for that customer
 * @param refunds all recorded refunds of the sale
 */
export function reattributed(
  { sale, commission: former }: EarningSale,
  { sale: decided, commission: due, customer, terms }: AttributedSale,
  refunds: readonly StoredStep[],
  change: StatusChange,
): ReattributedSale {
  const { actor } = change;
  const at = timeAfter(change.at, changedAtOf(sale), former?.history.at(-1)?.at);
  const { attribution, termsVersion } = decided;
  const changedAt = at.toISOString();
  const moved = {
    ...sale,
    changedAt,
    attribution,
    termsVersion,
    commissionId: undefined,
    terms: undefined,
    claimed: undefined,
  };
  if (!due) {
    const shares = refunds.map(() => ({ deductionCents: 0, feeReductionCents: 0 }));
    return { sale: { ...moved, commissionState: 'notDue' }, shares };
  }
  const { id, createdAt } = former ?? { ...due, createdAt: sale.createdAt };
  const names = { id, partnerId: due.partnerId, clickId: due.clickId, createdAt, actor };
  const earning = withCommission(moved, terms, customer.firstPurchaseAt, names, verdictOf(due));
  const commission = earning.commission!;
  const row: AuditRow = {
    at: changedAt,
    actor,
    action: 'recalculated',
    from: former?.status ?? null,
    to: commission.status,
    amountCents: commission.amountCents,
    reason: MOVED,
  };
  const history = former ? [...former.history, row] : commission.history;
  const unrefunded = { ...commission, byHand: former?.byHand, history };
  return { sale: earning.sale, ...withRefunds(unrefunded, earning.sale, refunds, { actor, at }) };
}
