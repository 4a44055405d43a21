import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Up to which month every sale is counted for certain. */
export interface CountedMonth {
  /** `YYYY-MM`; absent: of none it is known. */
  readonly month?: string;
  /** Sent after a later month has ended: that month is counted when they have passed. */
  readonly probes?: { readonly month: string; readonly run: string; readonly sentAt: string };
}

export const findCountedMonth = async (table: Table): Promise<CountedMonth> => {
  const { month, probes } = (await table.get<CountedMonth>(keys.countedMonth)) ?? {};
  return { month, probes };
};

/** Stores what is known now. Of two runs at once the slower one changes nothing: the next run goes on from the other's. */
export async function keepCountedMonth(table: Table, before: CountedMonth, after: CountedMonth): Promise<void> {
  try {
    const { month, probes } = after;
    await table.update(keys.countedMonth, { set: { month, probes } }, { equals: { ...before } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
