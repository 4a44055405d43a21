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
// Placeholder: the counters' own module replaces this file at the merge.

export interface CountedAmounts {
  readonly revenueCents: number;
  readonly refundedCents: number;
  readonly commissionCents: number;
  readonly platformFeeCents: number;
}

/** What happened in a program on one day. */
export interface DayCounters {
  readonly date: string;
  readonly clicks: number;
  readonly leads: number;
  readonly sales: number;
  /** By currency. */
  readonly amounts: Readonly<Record<string, CountedAmounts>>;
}

/** Days of a range on which anything happened, in order. */
export const daysOf = async (
  _table: Table,
  _programId: number,
  _from: string,
  _to: string,
): Promise<DayCounters[]> => [];
