import { waitingForgottenAtSeconds } from '#lib/service/programs/program/processor.ts';
import { MOST_REFERENCES, type ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import { type Reversal, withWaiting } from '#lib/service/conversions/refunds/reversals.ts';
import { keys, type PaymentSpace } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The item of one id of a payment: of a session, payment intent, charge or invoice, or of the subscription it is the first of. */
interface PaymentItem {
  /** The sale of this payment. Once set, the item does not change any more. */
  readonly transactionId?: string;
  /** Other ids of the same payment. */
  readonly linked?: readonly string[];
  /** Reversals that wait for their sale. */
  readonly waiting?: readonly Reversal[];
  /** The event of an invoice that waits for its payment intent; the payment is kept under this id. */
  readonly keptBy?: string;
  readonly paymentIntentId?: string;
  readonly version: number;
}

/** One payment of a program with all its known ids. */
export interface PaymentTrace {
  readonly programId: number;
  readonly space?: PaymentSpace;
  readonly items: ReadonlyMap<string, PaymentItem | undefined>;
  readonly transactionId?: string;
  /** Of all sales to which the ids lead: several, where nothing had connected them. */
  readonly transactionIds: readonly string[];
  readonly waiting: readonly Reversal[];
  readonly keptBy?: string;
  readonly paymentIntentId?: string;
}

/**
 * The ids of a payment. A subscription's first payment is reported twice, by the checkout and by the invoice: the
 * subscription's id connects the two.
 */
export const idsOfPayment = ({ references, order, subscriptionId }: ProcessorPayment): readonly string[] =>
  order === 'first' && subscriptionId ? [...references, `first of ${subscriptionId}`] : references;

/** Payments that do not count in their program, such as those with test cards, are kept apart from all others. */
export const spaceOf = (isReal: boolean): PaymentSpace | undefined => (isReal ? undefined : 'test');

/** Follows ids to their linked ids, up to the limit. */
export async function tracePayment(
  table: Table,
  programId: number,
  references: readonly string[],
  space?: PaymentSpace,
): Promise<PaymentTrace> {
  const items = new Map<string, PaymentItem | undefined>();
  let wanted: readonly string[] = references.slice(0, MOST_REFERENCES);
  while (wanted.length > 0) {
    const found = await Promise.all(wanted.map((id) => table.get<PaymentItem>(keys.payment(programId, id, space))));
    for (const [index, id] of wanted.entries()) items.set(id, found[index]);
    const linked = new Set(found.flatMap((item) => item?.linked ?? []));
    wanted = [...linked].filter((id) => !items.has(id)).slice(0, MOST_REFERENCES - items.size);
  }
  const known = [...items.values()].filter((item) => item !== undefined);
  const transactionIds = [...new Set(known.flatMap(({ transactionId }) => transactionId ?? []))];
  return {
    programId,
    space,
    items,
    transactionId: transactionIds[0],
    transactionIds,
    waiting: known.flatMap(({ waiting = [] }) => waiting),
    keptBy: known.find(({ keptBy }) => keptBy !== undefined)?.keptBy,
    paymentIntentId: known.find(({ paymentIntentId }) => paymentIntentId !== undefined)?.paymentIntentId,
  };
}

/** Of a payment whose ids are not asked for. */
export const noTrace = (programId: number): PaymentTrace => ({
  programId,
  items: new Map(),
  transactionIds: [],
  waiting: [],
});

/** The transaction id of the sale to which one id of a payment leads. */
export const saleOfPayment = async (table: Table, programId: number, id: string): Promise<string | undefined> =>
  (await table.get<PaymentItem>(keys.payment(programId, id)))?.transactionId;

/** The same payment without the sale that it leads to, which a restore of the table lost: it may lead to another one. */
export const withoutSale = (trace: PaymentTrace): PaymentTrace => ({
  ...trace,
  transactionId: undefined,
  transactionIds: [],
  items: new Map([...trace.items].map(([id, item]) => [id, item && { ...item, transactionId: undefined }])),
});

/**
 * Writes that link every id of a payment to its sale. Reversals that waited for it are applied in the same transaction.
 * An id that leads to another sale keeps it: that one is a duplicate by now, which leads to the sale that counts.
 */
export const linkPaymentToSale = (trace: PaymentTrace, transactionId: string, now: Date): Write[] =>
  [...trace.items]
    .filter(([, item]) => item?.transactionId === undefined)
    .map(([id, item]) => paymentWrite(trace, id, item, { transactionId }, now));

/** What an event tells of a payment without sale. */
interface Told extends Pick<PaymentItem, 'keptBy' | 'paymentIntentId'> {
  readonly reversal?: Reversal;
}

/**
 * Writes that link the ids of a payment without sale to each other, and store what was told of it until the sale comes.
 * The first id lists the others, and each of them names the first.
 */
export const parkPayment = (trace: PaymentTrace, { reversal, ...told }: Told, now: Date): Write[] => {
  const [first, ...rest] = trace.items.keys();
  return [...trace.items].map(([id, item]) => {
    const before = item?.waiting ?? [];
    const waiting = reversal ? withWaiting(before, reversal) : before;
    const linked = id === first ? rest : [first];
    return paymentWrite(
      trace,
      id,
      item,
      {
        ...(waiting.length > 0 && { waiting }),
        ...(rest.length > 0 && { linked }),
        keptBy: item?.keptBy ?? told.keptBy,
        paymentIntentId: item?.paymentIntentId ?? told.paymentIntentId,
        expires_at: waitingForgottenAtSeconds(now),
      },
      now,
    );
  });
};

/** Writes that link the ids of a payment of which no sale is known, for a while; none where they are linked. */
export const linkIdsOfPayment = (trace: PaymentTrace, now: Date): Write[] => {
  const isLinked = trace.items.size === 1 || [...trace.items.values()].every((item) => item?.linked !== undefined);
  return isLinked || trace.transactionId !== undefined ? [] : parkPayment(trace, {}, now);
};

const paymentWrite = (
  { programId, space }: PaymentTrace,
  id: string,
  before: PaymentItem | undefined,
  after: object,
  now: Date,
): Write => ({
  name: 'payment',
  key: keys.payment(programId, id, space),
  put: { ...after, version: (before?.version ?? 0) + 1 },
  // A refund and its sale race: the loser reads the other's writes and applies them.
  condition: before ? { equals: { version: before.version } } : { isGoneAt: Math.floor(now.getTime() / 1000) },
});
