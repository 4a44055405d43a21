import type { Counts } from '#lib/wire/reports/performance.ts';

/** The figures of a report. */
export interface Performance {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
  readonly totals: Totals;
  /** The period of the same length that ends before `from`. */
  readonly previous: { readonly from: string; readonly to: string; readonly totals: Totals };
}

export type AmountName = 'revenue_cents' | 'refunded_cents' | 'commission_cents' | 'rejected_cents';

/** The figures of a day or period. In the portal, some counts are missing. */
export interface Totals extends Readonly<Partial<Counts>> {
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<AmountName, number>>>>>;
}

interface Day extends Totals {
  readonly date: string;
}
