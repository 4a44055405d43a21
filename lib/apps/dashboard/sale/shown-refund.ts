import type { RefundFacts } from '#lib/wire/reports/event.ts';

/** A refund, with what is needed to show it. What it deducted from the commission is in the commission's currency. */
export interface ShownRefund extends RefundFacts {
  readonly id: number;
  readonly at: string;
  readonly transaction_id: string;
  readonly currency: string;
  /** The currency of the commission; undefined if the sale has no commission. */
  readonly commissionCurrency?: string;
}
