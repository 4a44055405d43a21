import type { NamedRefund } from '#lib/service/conversions/refunds/api-refunds.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { MATCHES_NOTHING } from '#lib/service/ground/values/identifier.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

// Each refund is a separate item, because a sale may have thousands. The sale stores only their sum.

/** Ids are hashed, because callers choose them and they may be too long for a key. */
const keyOf = (transactionId: string, refundId: string): Key => keys.namedRefund(transactionId, sha256(refundId));

/** Finds a recorded refund by its id. */
export const findNamedRefund = async (
  table: Table,
  transactionId: string,
  refundId: string | undefined,
): Promise<NamedRefund | undefined> =>
  refundId === undefined || transactionId === MATCHES_NOTHING
    ? undefined
    : table.get<NamedRefund>(keyOf(transactionId, refundId));

/** All refunds of a sale that have an id. */
export const namedRefundsOf = (table: Table, transactionId: string): Promise<(NamedRefund & Key)[]> =>
  table.query<NamedRefund & Key>(keys.namedRefund(transactionId, '').pk, {
    prefix: keys.namedRefund(transactionId, '').sk,
  });

/**
 * The write that records a refund with an id, in the transaction of its sale. If two calls with the same id race, the
 * later one reloads and decides again.
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

/** The refunds with ids of a duplicate that the sale which counts does not have. */
export async function refundsToMove(table: Table, from: string, to: string): Promise<(NamedRefund & Key)[]> {
  const found = await namedRefundsOf(table, from);
  const known = new Set(found.length === 0 ? [] : (await namedRefundsOf(table, to)).map(({ sk }) => sk));
  return found.filter(({ sk }) => !known.has(sk));
}

/**
 * The write that records a refund of a duplicate with the sale that counts. Fails if a call has recorded this refund
 * there first. This request then reloads and decides again.
 */
export const movedRefundWrite = (to: string, { sk, reason }: NamedRefund & Key, amountCents: number): Write => ({
  name: `namedRefund ${sk}`,
  key: { ...keys.namedRefund(to, ''), sk },
  put: { amountCents, reason } satisfies NamedRefund,
  condition: { isNew: true },
});
