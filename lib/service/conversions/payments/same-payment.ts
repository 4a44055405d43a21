import { paymentIdsOf } from '#lib/service/conversions/payments/payment-ids.ts';
import { recordsPaymentOf, type Sale, type SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import {
  type PaymentTrace,
  saleOfPayment,
  tracePayment,
  withoutSale,
} from '#lib/service/conversions/payments/payments-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { saleThatCounts } from '#lib/service/conversions/payments/duplicate-sales.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

/** The data stored under the ids of a payment that a brand's server sends. */
export interface SamePayment {
  /** The program's sale of the payment, recorded under another id. */
  readonly sale?: Sale;
  /** The stored items of the ids that will be linked to the new sale. */
  readonly traces: readonly PaymentTrace[];
}

/** The fields of a sale that identify its payment. */
type NamedPayment = Pick<SaleFacts, 'transactionId' | 'provider' | 'providerPaymentId'>;

/** Starts the reads of {@link findSamePayment}. */
export const readSamePayment = (
  table: Table,
  programId: number,
  sale: NamedPayment,
  claimed: readonly string[] = [],
) => {
  const { ids, other } = paymentIdsOf(sale);
  return Promise.all([
    tracePayment(table, programId, [...new Set([...claimed, ...ids])]),
    other ? tracePayment(table, programId, [other.id], other.provider) : undefined,
    saleOfPayment(table, programId, sale.transactionId),
    other || sale.providerPaymentId === undefined ? undefined : findSale(table, sale.providerPaymentId),
  ]);
};

/**
 * Finds what is stored under a payment's ids: a sale, and refunds or disputes that wait for a sale. A transaction id
 * that is no Stripe id is looked up, but not linked to the sale, because that would cost one more write for every sale.
 * @param claimed ids that are linked in any case, because the sale is recorded under another id
 */
export async function findSamePayment(
  table: Table,
  programId: number,
  sale: NamedPayment,
  claimed?: readonly string[],
): Promise<SamePayment> {
  const [trace, ofOther, named, naming] = await readSamePayment(table, programId, sale, claimed);
  const traces = ofOther ? [trace, ofOther] : [trace];
  const known = await Promise.all(
    [...traces.map(({ transactionId }) => transactionId), named].map((id) => findSale(table, id)),
  );
  const own = [...known, naming].find((one) => recordsPaymentOf(programId, one));
  return {
    sale: own && (await saleThatCounts(table, own)),
    // If a restore of the table has lost the sale that a trace names, the id of this sale is removed from the trace.
    traces: traces.map((one, at) => (known[at] ? one : withoutSale(one))),
  };
}
