import { waitingForgottenAtSeconds } from '#lib/domain/processor.ts';
import { type Reversal, withWaiting } from '#lib/domain/reversals.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** What is known under one id of the processor: a session, a payment intent, a charge, an invoice, a subscription. */
interface PaymentItem {
  /** The sale that this payment became. Once it is known nothing here changes any more. */
  readonly transactionId?: string;
  /** Other ids of the same payment. */
  readonly linked?: readonly string[];
  /** Reversals that no sale was found for yet. */
  readonly waiting?: readonly Reversal[];
  readonly version: number;
}

/** One payment of a program under all of its ids that are known. */
export interface PaymentTrace {
  readonly programId: number;
  readonly items: ReadonlyMap<string, PaymentItem | undefined>;
  readonly transactionId?: string;
  readonly waiting: readonly Reversal[];
}

/** A payment has a handful of ids. At most so many are kept of one: all of them are linked to the sale in one transaction. */
const MOST_IDS = 50;

/** Follows ids to the ids that are linked with them; what is beyond the most is left out. */
export async function tracePayment(
  table: Table,
  programId: number,
  references: readonly string[],
): Promise<PaymentTrace> {
  const items = new Map<string, PaymentItem | undefined>();
  let wanted: readonly string[] = references.slice(0, MOST_IDS);
  while (wanted.length > 0) {
    const found = await Promise.all(wanted.map((id) => table.get<PaymentItem>(keys.payment(programId, id))));
    for (const [index, id] of wanted.entries()) items.set(id, found[index]);
    const linked = new Set(found.flatMap((item) => item?.linked ?? []));
    wanted = [...linked].filter((id) => !items.has(id)).slice(0, MOST_IDS - items.size);
  }
  const known = [...items.values()].filter((item) => item !== undefined);
  return {
    programId,
    items,
    transactionId: known.find(({ transactionId }) => transactionId !== undefined)?.transactionId,
    waiting: known.flatMap(({ waiting = [] }) => waiting),
  };
}

/** Writes by which every id of a payment leads to its sale. Reversals that waited for it are applied in the same transaction. */
export const linkPaymentToSale = ({ programId, items }: PaymentTrace, transactionId: string, now: Date): Write[] =>
  [...items]
    .filter(([, item]) => item?.transactionId === undefined)
    .map(([id, item]) => paymentWrite(programId, id, item, { transactionId }, now));

/**
 * Writes by which ids of one payment lead to each other before it has a sale, and what is taken of it waits for the sale.
 * The first id lists the others, and each of them names the first.
 */
export const parkReversal = (trace: PaymentTrace, reversal: Reversal | undefined, now: Date): Write[] => {
  const [first, ...rest] = trace.items.keys();
  return [...trace.items].map(([id, item]) => {
    const before = item?.waiting ?? [];
    const waiting = reversal ? withWaiting(before, reversal) : before;
    const linked = id === first ? rest : [first];
    return paymentWrite(
      trace.programId,
      id,
      item,
      {
        ...(waiting.length > 0 && { waiting }),
        ...(rest.length > 0 && { linked }),
        expires_at: waitingForgottenAtSeconds(now),
      },
      now,
    );
  });
};

const paymentWrite = (
  programId: number,
  id: string,
  before: PaymentItem | undefined,
  after: object,
  now: Date,
): Write => ({
  name: 'payment',
  key: keys.payment(programId, id),
  put: { ...after, version: (before?.version ?? 0) + 1 },
  // A refund and the sale it belongs to come at once: the loser reads what the other wrote and applies it.
  condition: before ? { equals: { version: before.version } } : { isGoneAt: Math.floor(now.getTime() / 1000) },
});
