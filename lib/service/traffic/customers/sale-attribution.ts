import type { WindowCheck } from '#lib/service/traffic/customers/attribution-window.ts';

/** The identifiers by which a sale can find its customer. */
export const resolvedByWords = ['click_id', 'email', 'processor_customer', 'customer_key', 'code'] as const;
export type ResolvedBy = (typeof resolvedByWords)[number];

/** Why the sale was attributed to this partner, with the values from the time of recording. */
export interface SaleAttribution {
  readonly clickId: string;
  readonly customerKey?: string;
  readonly partnerId?: number;
  /** The referral link of the first click; undefined if a coupon code attributed the customer. */
  readonly shortLink?: string;
  readonly resolvedBy: ResolvedBy;
  /** The identifier that found the customer. E-mail addresses are masked. */
  readonly identifier: string;
  /**
   * Click id of the customer who lost the key to this sale's customer. Only a browser had claimed the key for that
   * customer.
   */
  readonly keyTakenFrom?: string;
  /**
   * The partner to whom another identifier or code pointed and who did not get the sale, and which identifier or code
   * it was.
   */
  readonly overruled?: {
    readonly partnerId: number;
    readonly by: ResolvedBy;
    /** Set if this became known only after the commission was paid or rejected. */
    readonly isLate?: true;
  };
  /** Click id of the sale's former customer, created by its coupon code, before an event named this customer. */
  readonly movedFrom?: string;
  /** Click id of the customer found by e-mail address alone, before another event named this customer. */
  readonly takenFrom?: string;
  /** Set if only the e-mail address found the customer: no click, earlier payment or key did. */
  readonly isByAddressAlone?: true;
  /**
   * The check of the attribution window; undefined if there was none, because the customer had paid before or a
   * coupon code attributed the customer.
   */
  readonly window?: WindowCheck;
  /** Set on a customer's first sale if the window was not checked, because a coupon code attributed the customer. */
  readonly broughtByCode?: true;
}
