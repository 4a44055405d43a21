import type { AccountFlags } from '#lib/domain/processor.ts';
import type { Reversal } from '#lib/domain/reversals.ts';

/** An event of the card processor, independent of the processor's format. */
export interface ProcessorEvent {
  readonly id: string;
  /** The processor's event type. */
  readonly type: string;
  /** The brand's account on the processor, when the event came through the platform's endpoint. */
  readonly accountId?: string;
  /** False for payments with test cards. */
  readonly isLive: boolean;
  readonly report: ProcessorReport;
}

export type ProcessorReport =
  | { readonly kind: 'payment'; readonly payment: ProcessorPayment }
  /** Money is returned or reclaimed on the payment that has one of these ids. */
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
  /** Of a subscription: `first` is reported twice, by its checkout and by its invoice. */
  readonly order: 'single' | 'first' | 'later';
  /** A subscription's checkout leaves a provisional lead to the invoice. */
  readonly settlesLead: boolean;
  /** Ids by which refunds, disputes and other events may refer to this payment. */
  readonly references: readonly string[];
  readonly paymentIntentId?: string;
  readonly subscriptionId?: string;
  /** From the metadata; 0 when it is no valid program id. */
  readonly programId?: number;
  readonly payer: Payer;
}

/** The payment's data on its customer. */
export interface Payer {
  readonly clickId?: string;
  /** Trimmed and lower-cased; it is never stored. */
  readonly email?: string;
  /** The processor's own id of the customer. */
  readonly processorCustomerId?: string;
  readonly customerKey?: string;
}
