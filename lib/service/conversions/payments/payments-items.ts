import { waitingForgottenAtSeconds } from '#lib/service/programs/program/processor.ts';
import { MOST_REFERENCES, type ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { Reversal } from '#lib/service/conversions/refunds/reversals.ts';
import { withWaiting } from '#lib/service/conversions/refunds/waiting-reversals.ts';
import { keys, type PaymentSpace } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * The item of one id of a payment. The id may be of a checkout session, payment intent, charge or invoice, or of the
 * subscription for its first payment.
 */
interface PaymentItem {
  /** The transaction id of the payment's sale. After it is set, the item never changes. */
  readonly transactionId?: string;
  /** Other ids of the same payment. */
  readonly linked?: readonly string[];
  /** Refunds and disputes that arrived before the sale of their payment. */
  readonly waiting?: readonly Reversal[];
  /** The id of the stored event with an invoice. The invoice waits until an event reports its payment intent. */
  readonly keptBy?: string;
  readonly paymentIntentId?: string;
  readonly version: number;
}

/** A payment of a program with all its known ids. */
export interface PaymentTrace {
  readonly programId: number;
  readonly space?: PaymentSpace;
  readonly items: ReadonlyMap<string, PaymentItem | undefined>;
  readonly transactionId?: string;
  /** Transaction ids of sales to which these ids lead. Several, if sales were recorded before the ids were linked. */
  readonly transactionIds: readonly string[];
  readonly waiting: readonly Reversal[];
  readonly keptBy?: string;
  readonly paymentIntentId?: string;
}

/**
 * The ids of a payment. A subscription's first payment is reported by the checkout and by the invoice; the
 * subscription's id connects the two.
 */
export const idsOfPayment = ({ references, order, subscriptionId }: ProcessorPayment): readonly string[] =>
  order === 'first' && subscriptionId ? [...references, `first of ${subscriptionId}`] : references;

/** The key space of a payment's ids. Payments that do not count, such as those with test cards, have another one. */
export const spaceOf = (isReal: boolean): PaymentSpace | undefined => (isReal ? undefined : 'test');

/** Loads the items of these ids, of the ids that these are linked to, and so on, up to a limit. */
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

/** An empty trace, for a payment whose ids need no lookup. */
export const noTrace = (programId: number): PaymentTrace => ({
  programId,
  items: new Map(),
  transactionIds: [],
  waiting: [],
});

/** The transaction id of the sale that an id of a payment leads to. */
export const saleOfPayment = async (table: Table, programId: number, id: string): Promise<string | undefined> =>
  (await table.get<PaymentItem>(keys.payment(programId, id)))?.transactionId;

/** A trace without its sale, which a restore of the table has lost. Another sale may take its place. */
export const withoutSale = (trace: PaymentTrace): PaymentTrace => ({
  ...trace,
  transactionId: undefined,
  transactionIds: [],
  items: new Map([...trace.items].map(([id, item]) => [id, item && { ...item, transactionId: undefined }])),
});

/**
 * Writes that link all ids of a payment to its sale. The same transaction applies the refunds and disputes that waited
 * for the sale. An id of another sale is left unchanged: that sale is marked as a duplicate and names the sale that
 * counts.
 */
export const linkPaymentToSale = (trace: PaymentTrace, transactionId: string, now: Date): Write[] =>
  [...trace.items]
    .filter(([, item]) => item?.transactionId === undefined)
    .map(([id, item]) => paymentWrite(trace, id, item, { transactionId }, now));

/** What an event reports about a payment that has no sale yet. */
interface PaymentReport extends Pick<PaymentItem, 'keptBy' | 'paymentIntentId'> {
  readonly reversal?: Reversal;
}

/**
 * Writes that link the ids of a payment without a sale to each other, and store refunds and disputes until the sale
 * arrives. The first id lists the others, and each of the others lists the first.
 */
export const parkPayment = (trace: PaymentTrace, { reversal, ...report }: PaymentReport, now: Date): Write[] => {
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
        keptBy: item?.keptBy ?? report.keptBy,
        paymentIntentId: item?.paymentIntentId ?? report.paymentIntentId,
        expires_at: waitingForgottenAtSeconds(now),
      },
      now,
    );
  });
};

/**
 * Writes that link the ids of a payment to each other while its sale is not known yet. The links expire. Empty if the
 * ids are linked already.
 */
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
  // Fails if another event of the payment was written first. This request then reloads and takes it into account.
  condition: before ? { equals: { version: before.version } } : { isGoneAt: Math.floor(now.getTime() / 1000) },
});
