import type { Table } from '#lib/store/table.ts';

/** PLACEHOLDER until the counters of the stream arrive by merge. */
export interface EventCounts {
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
}

export const countsOfLastDay = async (_table: Table, _programId: number, _now: Date): Promise<EventCounts> => ({
  clicks: 0,
  leads: 0,
  sales: 0,
});

export const pendingCommissions = async (_table: Table, _programId: number, _now: Date): Promise<number> => 0;
