import type { RefundFacts } from '#lib/wire/reports/event.ts';

/** A refund beside what it is shown with. The deduction is in the currency of the commission. */
export interface ShownRefund extends RefundFacts {
  readonly id: number;
  readonly at: string;
  readonly transaction_id: string;
  readonly currency: string;
  /** Absent when the sale has no commission. */
  readonly commissionCurrency?: string;
}
