import type { SaleCommission } from '#lib/domain/commission.ts';
import { type Refunded, withReversals } from '#lib/domain/refund.ts';
import type { Sale } from '#lib/domain/sale.ts';
import type { Deps } from '#lib/service/deps.ts';
import { linkPaymentToSale, type PaymentTrace } from '#lib/service/store/payments.ts';
import { refundEventWrites } from '#lib/service/store/refunds.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { refundEvents } from '#lib/service/use-cases/update-sale.ts';

/** A new sale with the refunds and disputes that came before it. */
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

/** Writes by which every known id of a payment leads to its new sale, with the steps of the refunds that came before. */
export const paymentWrites = async (deps: Deps, traces: readonly PaymentTrace[], after: Refunded): Promise<Write[]> => [
  ...refundEventWrites(after, await refundEvents(deps, after)),
  ...traces.flatMap((trace) => linkPaymentToSale(trace, after.sale.transactionId, deps.now)),
];
