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
import { type AttributedSale, type Resolved, withCommission } from '#lib/service/conversions/sales/sale-decision.ts';

/** Of the row by which a commission became its present partner's. */
const MOVED = 'the customer of the payment became known';

/** The history of a commission since it is its partner's, which begins as a new one: what was before was another partner's. */
export function historyOfPartner({ history }: Pick<Commission, 'history'>): readonly AuditRow[] {
  const at = history.findLastIndex(({ action, reason }) => action === 'recalculated' && reason === MOVED);
  return at < 0 ? history : [{ ...history[at]!, action: 'created', reason: null }, ...history.slice(at + 1)];
}

/** A sale and its commission. */
interface EarningSale {
  readonly sale: Sale;
  readonly commission?: SaleCommission;
}

/** The same of another customer, with the shares that its recorded refunds have in the commission, in their order. */
interface ReattributedSale extends EarningSale {
  readonly shares: readonly RefundShare[];
}

/** Whether a code alone brought a sale: its payment named nobody, so it made this customer. */
export const isByCodeAlone = ({ id, attribution }: Sale, customer: Customer | undefined): customer is Customer =>
  attribution?.resolvedBy === 'code' &&
  customer?.source === 'code' &&
  customer.id === id &&
  customer.leadState === undefined &&
  customer.partnerId === attribution.partnerId &&
  customer.erasedAt === undefined &&
  customer.unlinkedAt === undefined;

/** A customer as it was before this sale; undefined: the sale's code made it. */
export function beforeSale<One extends AttributedCustomer>(
  customer: One | undefined,
  { attribution }: Sale,
): One | undefined {
  if (!attribution || customer?.clickId !== attribution.clickId) return customer;
  if (attribution.resolvedBy === 'code') return undefined;
  // The window is checked of those who have not bought.
  return attribution.window ? { ...customer, status: 'lead' } : customer;
}

/** Whether an address alone made the sale's payer this customer's: then it had been nobody's. */
export const boundPayer = ({ attribution }: Sale): boolean =>
  attribution?.isByAddressAlone === true && attribution.resolvedBy === 'email';

/** Whether another event of a payment tells more of a sale that an address alone had found: more than it, or against it. */
export const tellsMore = (
  { isByAddressAlone, overruled }: Pick<Resolved, 'isByAddressAlone' | 'overruled'>,
  { attribution }: Sale,
): boolean =>
  attribution?.isByAddressAlone === true &&
  (!isByAddressAlone ||
    (contradictedBy({ isByAddressAlone, overruled }) !== undefined && !contradictedBy(attribution)));

/** Whether a sale may still become another customer's. */
export const mayMove = (commission: SaleCommission | undefined): boolean => !commission || !isFinal(commission);

/**
 * A recorded sale as another customer's. What it earns is decided anew by the terms of that customer's partner, and
 * waits for an approval of its own; of it, refunds take the share that they have in the sale.
 * @param decision of the same sale for that customer
 * @param refunds every recorded one of the sale
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
  return { sale: earning.sale, ...withRefunds({ ...commission, history }, earning.sale, refunds, { actor, at }) };
}
