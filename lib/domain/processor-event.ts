import type { AccountFlags } from '#lib/domain/processor.ts';
import type { Reversal } from '#lib/domain/reversals.ts';

/** What an event of the card processor says, in our words. */
export interface ProcessorEvent {
  readonly id: string;
  /** As the processor calls it. */
  readonly type: string;
  /** The brand's account on the processor, when the event came through the platform's endpoint. */
  readonly accountId?: string;
  /** False for payments with test cards. */
  readonly isLive: boolean;
  readonly report: ProcessorReport;
}

export type ProcessorReport =
  | { readonly kind: 'payment'; readonly payment: ProcessorPayment }
  /** Money goes back, or comes back, on the payment that has one of these ids. */
  | { readonly kind: 'reversal'; readonly reversal: Reversal; readonly references: readonly string[] }
  /** These ids belong to one payment. */
  | { readonly kind: 'link'; readonly references: readonly string[] }
  | { readonly kind: 'accountChanged'; readonly flags: AccountFlags; readonly at: Date }
  | { readonly kind: 'accountGone'; readonly at: Date }
  | { readonly kind: 'ignored'; readonly reason: string };

/** A payment that went through. */
export interface ProcessorPayment {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Upper case; any. */
  readonly currency: string;
  readonly paidAt: Date;
  /** Of a subscription: `first` is told twice, by its checkout and by its invoice. */
  readonly order: 'single' | 'first' | 'later';
  /** A subscription's checkout leaves a provisional lead to the invoice. */
  readonly settlesLead: boolean;
  /** Ids by which a refund, a dispute or another event may mean this payment. */
  readonly references: readonly string[];
  readonly paymentIntentId?: string;
  readonly subscriptionId?: string;
  /** Of the metadata; 0 for one that can be no program. */
  readonly programId?: number;
  readonly payer: Payer;
}

/** What a payment says of who paid. */
export interface Payer {
  readonly clickId?: string;
  /** Trimmed and lower-cased; it is never stored. */
  readonly email?: string;
  /** The processor's own id of the customer. */
  readonly processorCustomerId?: string;
  readonly customerKey?: string;
}
