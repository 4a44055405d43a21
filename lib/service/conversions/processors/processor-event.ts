import type { UnprocessedReason } from '#lib/service/conversions/processors/event-outcomes.ts';
import type { AccountFlags } from '#lib/service/programs/program/processor.ts';
import type { Reversal } from '#lib/service/conversions/refunds/reversals.ts';

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
  /** These ids belong to one payment. @property reason why the event is no payment itself, where one could expect it to be */
  | {
      readonly kind: 'link';
      readonly references: readonly string[];
      readonly paymentIntentId?: string;
      readonly reason?: UnprocessedReason;
    }
  /** The text of a promotion code, such as buyers type it. */
  | { readonly kind: 'promotionCode'; readonly id: string; readonly code: string }
  /** Which promotion code a discount is; one without is of no code. */
  | { readonly kind: 'discount'; readonly id: string; readonly promotionCodeId?: string }
  | { readonly kind: 'accountChanged'; readonly flags: AccountFlags; readonly at: Date }
  | { readonly kind: 'accountGone'; readonly at: Date }
  /** @property misspelt a payment that would count if its metadata named somebody as they are probably meant to */
  | { readonly kind: 'ignored'; readonly reason: UnprocessedReason; readonly misspelt?: ProcessorPayment };

/** A payment has a handful of ids. The limit lets the sale's transaction link all of them, with all that may wait. */
export const MOST_REFERENCES = 49;

/** So that a payment may wait for the codes of all its discounts in one transaction. */
export const MOST_DISCOUNTS = 10;

/** A discount of a payment, by which a code may be found. */
export interface PaymentDiscount {
  /** Of its promotion code, or of the discount itself, whose promotion code another event tells. */
  readonly id: string;
  /** Of the promotion code, where the payment itself tells it. */
  readonly text?: string;
}

/** A payment that went through. An amount of 0 was discounted as a whole, and is no sale. */
export interface ProcessorPayment {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Part of the amount; absent where the event does not tell it. */
  readonly taxCents?: number;
  /** Upper case; any. */
  readonly currency: string;
  readonly paidAt: Date;
  /** Of a subscription: `first` is reported twice, by its checkout and by its invoice. */
  readonly order: 'single' | 'first' | 'later';
  /** A subscription's checkout leaves a provisional lead to the invoice. */
  readonly settlesLead: boolean;
  /** Ids by which refunds, disputes and other events may refer to this payment. */
  readonly references: readonly string[];
  /**
   * An invoice whose payment intent only another event tells. Until then it is not known whether a checkout or an intent
   * of its own reports the same payment.
   */
  readonly awaitsIntent?: boolean;
  readonly paymentIntentId?: string;
  readonly subscriptionId?: string;
  /** From the metadata; 0 when it is no valid program id. */
  readonly programId?: number;
  /** Metadata whose names are close to those that count; absent where there are none. */
  readonly misspelt?: readonly MisspeltMetadata[];
  readonly payer: Payer;
  /** In their order. */
  readonly discounts?: readonly PaymentDiscount[];
}

/** The names in a payment's metadata by which a customer is found. */
export const CLICK_METADATA = 'service_click_id';
export const KEY_METADATA = 'service_customer_key';

/** A name in the metadata of a payment that is close to one of those. */
export interface MisspeltMetadata {
  readonly name: string;
  readonly meant: typeof CLICK_METADATA | typeof KEY_METADATA;
  readonly value: string;
}

/** The payment's data on its customer. */
export interface Payer {
  readonly clickId?: string;
  /** The click id stood in the address of the checkout, where anybody may put one, and not in its metadata. */
  readonly isClickReferred?: boolean;
  /** Trimmed and lower-cased; it is never stored. */
  readonly email?: string;
  /** The processor's own id of the customer. */
  readonly processorCustomerId?: string;
  readonly customerKey?: string;
  /**
   * Of a payer without customer id and key: the hash of the address, by which people who pay with one click are told
   * apart. It finds nobody without the click.
   */
  readonly guest?: string;
  /** Of a payment that was kept, in place of the address: the customer it had led to. */
  readonly foundByEmail?: { readonly clickId: string; readonly masked: string; readonly isClaimed?: true };
}
