import type { SaleCommission } from '#lib/service/earnings/commissions/commission.ts';
import { type Refunded, withReversals } from '#lib/service/conversions/refunds/refund.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { linkPaymentToSale, type PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import { refundEventWrites } from '#lib/service/conversions/refunds/refunds-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { refundEvents } from '#lib/service/conversions/sales/update-sale.ts';

/** Applies the refunds and disputes that arrived before their sale to this new sale and its commission. */
export const withParkedReversals = (
  { now }: Pick<Deps, 'now'>,
  traces: readonly PaymentTrace[],
  sale: Sale,
  commission?: SaleCommission,
): Refunded =>
  withReversals(
    sale,
    commission,
    traces.flatMap(({ waiting }) => waiting),
    { actor: 'processor', at: now },
  );

/**
 * Writes that link all known ids of a payment to its new sale, and that record the refunds and disputes which arrived
 * before the sale.
 */
export const paymentWrites = async (deps: Deps, traces: readonly PaymentTrace[], after: Refunded): Promise<Write[]> => [
  ...refundEventWrites(after, await refundEvents(deps, after)),
  ...traces.flatMap((trace) => linkPaymentToSale(trace, after.sale.transactionId, deps.now)),
];
