import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** The last deliveries of a program's endpoints. Times are ISO 8601; kept to the minute. */
export interface LastDelivery {
  readonly at?: string;
  readonly type?: string;
  /** `processed`, or why the event changed nothing. */
  readonly outcome?: string;
  readonly badSignatureAt?: string;
}

const LONGEST_TYPE = 200;

export const lastDeliveryOf = (table: Table, programId: number): Promise<LastDelivery | undefined> =>
  table.get<LastDelivery>(keys.lastDelivery(programId));

export function noteLastDelivery(
  table: Table,
  programId: number,
  { type, outcome }: { readonly type: string; readonly outcome: string },
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  return note(table, programId, { at, type: type.slice(0, LONGEST_TYPE).toWellFormed(), outcome }, { at });
}

export function noteLastBadSignature(table: Table, programId: number, now: Date): Promise<void> {
  const badSignatureAt = now.toISOString();
  return note(table, programId, { badSignatureAt }, { badSignatureAt });
}

/** Another container may have stored a later one, which stays. */
async function note(table: Table, programId: number, set: LastDelivery, below: LastDelivery): Promise<void> {
  try {
    await table.update(keys.lastDelivery(programId), { set: { ...set } }, { below: { ...below } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
