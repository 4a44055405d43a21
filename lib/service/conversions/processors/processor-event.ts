import type { UnprocessedReason } from '#lib/service/conversions/processors/event-outcomes.ts';
import type { AccountFlags } from '#lib/service/programs/program/processor.ts';
import type { Reversal } from '#lib/service/conversions/refunds/reversals.ts';

/** An event of the card processor, independent of the processor's format. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  /** The brand's account on the processor, if the event came through the platform's endpoint. */
  readonly accountId?: string;
  /** False for payments with test cards. */
  readonly isLive: boolean;
  readonly report: ProcessorReport;
}

export type ProcessorReport =
  | { readonly kind: 'payment'; readonly payment: ProcessorPayment }
  /** A refund or dispute of the payment with one of these ids. */
  | { readonly kind: 'reversal'; readonly reversal: Reversal; readonly references: readonly string[] }
  /**
   * Only links further ids to one payment.
   * @property reason why the event itself is not recorded as a payment; undefined if this type of event is never
   * recorded as one
   */
  | {
      readonly kind: 'link';
      readonly references: readonly string[];
      readonly paymentIntentId?: string;
      readonly reason?: UnprocessedReason;
    }
  /** The text of a promotion code, which buyers enter. */
  | { readonly kind: 'promotionCode'; readonly id: string; readonly code: string }
  /** The promotion code of a discount. Undefined if the discount has none. */
  | { readonly kind: 'discount'; readonly id: string; readonly promotionCodeId?: string }
  | { readonly kind: 'accountChanged'; readonly flags: AccountFlags; readonly at: Date }
  | { readonly kind: 'accountGone'; readonly at: Date }
  /**
   * An event that changes nothing.
   * @property misspelt the payment of the event, which would be recorded if a misspelt name in its metadata were
   * correct
   */
  | { readonly kind: 'ignored'; readonly reason: UnprocessedReason; readonly misspelt?: ProcessorPayment };

/**
 * Maximum number of ids of a payment. Most payments have a few. The limit lets one transaction link all of them and
 * apply the refunds and disputes stored under them.
 */
export const MOST_REFERENCES = 49;

/** Maximum number of discounts of a payment. The limit lets a payment wait for all their codes in one transaction. */
export const MOST_DISCOUNTS = 10;

/** A discount of a payment, by which a promotion code can be found. */
export interface PaymentDiscount {
  /** Id of the promotion code, or of the discount if the promotion code comes with another event. */
  readonly id: string;
  /** Text of the promotion code, if the payment contains it. */
  readonly text?: string;
}

/** A successful payment. An amount of 0 was fully discounted and is no sale. */
export interface ProcessorPayment {
  readonly transactionId: string;
  readonly amountCents: number;
  /** Tax included in the amount. Undefined if the event does not contain it. */
  readonly taxCents?: number;
  /** The currency in upper case, not restricted to supported currencies. */
  readonly currency: string;
  readonly paidAt: Date;
  /** The payment's position in its subscription. Stripe reports the `first` twice: by checkout and by invoice. */
  readonly order: 'single' | 'first' | 'later';
  /** Whether the payment settles a provisional lead. False for a subscription's checkout, whose invoice settles it. */
  readonly settlesLead: boolean;
  /** Ids by which refunds, disputes and other events may refer to this payment. */
  readonly references: readonly string[];
  /**
   * Set for an invoice whose payment intent is reported by a separate event. Until that event arrives, it is unknown
   * whether this invoice is the same payment as a checkout or a payment intent.
   */
  readonly awaitsIntent?: boolean;
  readonly paymentIntentId?: string;
  readonly subscriptionId?: string;
  /** The program id from the metadata. 0 if it is not a valid program id. */
  readonly programId?: number;
  /** Metadata with names similar to the expected ones. Undefined if there are none. */
  readonly misspelt?: readonly MisspeltMetadata[];
  readonly payer: Payer;
  /** The discounts in the order of the payment. */
  readonly discounts?: readonly PaymentDiscount[];
}

/** The names in a payment's metadata that identify a customer. */
export const CLICK_METADATA = 'service_click_id';
export const KEY_METADATA = 'service_customer_key';

/** A name in a payment's metadata that is similar to an expected one. */
export interface MisspeltMetadata {
  readonly name: string;
  readonly meant: typeof CLICK_METADATA | typeof KEY_METADATA;
  readonly value: string;
}

/** The customer data of a payment. */
export interface Payer {
  readonly clickId?: string;
  /** Set if the click id comes from the URL of the checkout, which anyone can change, not from the metadata. */
  readonly isClickReferred?: boolean;
  /** The payer's e-mail address, trimmed and in lower case. It is never stored as such. */
  readonly email?: string;
  readonly processorCustomerId?: string;
  readonly customerKey?: string;
  /**
   * Set for a payer without customer id and key: the hashed e-mail address, which distinguishes people who pay with the
   * same click. Together with the click it finds the person's customer; alone it finds none.
   */
  readonly guest?: string;
  /**
   * Set for a payment that is stored for a retry: the customer whom the payer's e-mail address found. The address
   * itself is not stored.
   */
  readonly foundByEmail?: { readonly clickId: string; readonly masked: string; readonly isClaimed?: true };
}
