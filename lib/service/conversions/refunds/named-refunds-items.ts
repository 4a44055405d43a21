import type { NamedRefund } from '#lib/service/conversions/refunds/api-refunds.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// An item for each: a sale may have thousands of refunds, which one item could not hold. The sale itself has their sum.

/** Callers choose the ids, which may be longer than a key. */
const keyOf = (transactionId: string, refundId: string): Key => keys.namedRefund(transactionId, sha256(refundId));

/** What is recorded of a refund that calls name by its id. */
export const findNamedRefund = async (
  table: Table,
  transactionId: string,
  refundId: string | undefined,
): Promise<NamedRefund | undefined> =>
  refundId === undefined || transactionId === MATCHES_NOTHING
    ? undefined
    : table.get<NamedRefund>(keyOf(transactionId, refundId));

/** Every refund of a sale that calls name by an id. */
export const namedRefundsOf = (table: Table, transactionId: string): Promise<NamedRefund[]> =>
  table.query<NamedRefund>(keys.namedRefund(transactionId, '').pk, { prefix: keys.namedRefund(transactionId, '').sk });

/**
 * Records a refund by its id, in the transaction of its sale. Two calls with one id race: the loser decides again on
 * what the winner recorded.
 */
export const namedRefundWrite = (
  transactionId: string,
  refundId: string,
  recorded: NamedRefund | undefined,
  { amountCents, reason }: NamedRefund,
): Write => ({
  name: 'namedRefund',
  key: keyOf(transactionId, refundId),
  put: { amountCents, reason },
  condition: recorded ? { equals: { amountCents: recorded.amountCents } } : { isNew: true },
});
