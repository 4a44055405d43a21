import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

const reserve = async (table: Table, name: string, count: number): Promise<number> => {
  const { last } = await table.update<{ last: number }>(keys.sequence(name), { add: { last: count } });
  return last;
};

/** The next number of a sequence, for objects that are created rarely. */
export const nextNumber = (
  table: Table,
  name: 'program' | 'workspace' | 'account' | 'partner' | 'agentKey',
): Promise<number> => reserve(table, name, 1);

const BLOCK = 1_000;

/** Reserves consecutive numeric ids. @returns the first of them */
export const reserveIds = async (table: Table, count: number): Promise<number> =>
  (await reserve(table, 'event', count)) - count + 1;

/**
 * Numeric ids for events, sales, commissions and payouts: unique and increasing, with gaps. A container reserves them
 * in blocks, so only the first request of each block waits for the sequence, while its other reads run.
 */
export function numericIds() {
  let block = { next: 1, last: 0 };
  let opening: Promise<void> | undefined;

  const openBlock = async (table: Table): Promise<void> => {
    const next = await reserveIds(table, BLOCK);
    block = { next, last: next + BLOCK - 1 };
  };

  return {
    async take(table: Table): Promise<number> {
      while (block.next > block.last) {
        opening ??= openBlock(table).finally(() => {
          opening = undefined;
        });
        await opening;
      }
      return block.next++;
    },
  };
}

export type NumericIds = ReturnType<typeof numericIds>;
