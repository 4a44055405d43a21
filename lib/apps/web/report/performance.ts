import type { Counts } from '#lib/wire/reports/performance.ts';

/** Data for reports. */
export interface Performance {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
  readonly totals: Totals;
  /** The period of equal length before `from`. */
  readonly previous: { readonly from: string; readonly to: string; readonly totals: Totals };
}

export type AmountName = 'revenue_cents' | 'refunded_cents' | 'commission_cents' | 'rejected_cents';

/** The portal has some of the counts. */
export interface Totals extends Readonly<Partial<Counts>> {
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<AmountName, number>>>>>;
}

interface Day extends Totals {
  readonly date: string;
}
