import type { DeliveredEvent, DeliveryWay } from '#lib/service/conversions/processors/delivered-event.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** The last deliveries of a program. Times are ISO 8601; that of the last invalid signature is accurate to a minute. */
export interface LastDelivery {
  readonly at?: string;
  readonly type?: string;
  /** `processed`, or why the event changed nothing. */
  readonly outcome?: string;
  readonly via?: DeliveryWay;
  /** When a forwarded payment was first processed. */
  readonly forwardedPaymentAt?: string;
  readonly badSignatureAt?: string;
}

const LONGEST_TYPE = 200;

export const lastDeliveryOf = (table: Table, programId: number): Promise<LastDelivery | undefined> =>
  table.get<LastDelivery>(keys.lastDelivery(programId));

export function recordLastDelivery(
  table: Table,
  programId: number,
  { type, outcome, via, isPayment }: DeliveredEvent,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  // Of several events in the same millisecond, the one stored last is shown.
  const nextMoment = new Date(now.getTime() + 1).toISOString();
  return store(
    table,
    programId,
    { at, type: type.slice(0, LONGEST_TYPE).toWellFormed(), outcome, via },
    { at: nextMoment },
    isPayment && via === 'forwarded' ? { forwardedPaymentAt: at } : {},
  );
}

export function recordLastBadSignature(table: Table, programId: number, now: Date): Promise<void> {
  const badSignatureAt = now.toISOString();
  return store(table, programId, { badSignatureAt }, { badSignatureAt });
}

/**
 * Stores values unless another Lambda instance has already stored values of a later time. Values in `setOnce` are
 * stored in any case, if they are not set yet.
 */
async function store(
  table: Table,
  programId: number,
  set: LastDelivery,
  below: LastDelivery,
  setOnce: LastDelivery = {},
): Promise<void> {
  const key = keys.lastDelivery(programId);
  try {
    await table.update(key, { set: { ...set }, setOnce: { ...setOnce } }, { below: { ...below } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (setOnce.forwardedPaymentAt !== undefined) await table.update(key, { setOnce: { ...setOnce } });
  }
}
