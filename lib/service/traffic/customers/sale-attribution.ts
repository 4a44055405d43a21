import type { WindowCheck } from '#lib/service/traffic/customers/attribution-window.ts';

/** By which a sale finds its customer. */
export const resolvedByWords = ['click_id', 'email', 'processor_customer', 'customer_key', 'code'] as const;
export type ResolvedBy = (typeof resolvedByWords)[number];

/** Why this partner got this sale, with the values of the moment it was recorded. */
export interface SaleAttribution {
  readonly clickId: string;
  readonly customerKey?: string;
  readonly partnerId?: number;
  /** Absent: a code brought the customer. */
  readonly shortLink?: string;
  readonly resolvedBy: ResolvedBy;
  /** By which it was found; of an e-mail address, its mask. */
  readonly identifier: string;
  /** Click id of the customer for whom a browser had claimed the key that this sale moved to its own customer. */
  readonly keyTakenFrom?: string;
  /**
   * Whose claim the sale's code stood in front of, or a claim before the code, one before the address, or its own click
   * before somebody who had bought; or the address alone before somebody who had not.
   */
  readonly overruled?: {
    readonly partnerId: number;
    readonly by: ResolvedBy;
    /** It became known only when the commission was paid or rejected already. */
    readonly isLate?: true;
  };
  /** Click id of the customer whom the sale's code had made, before another event of the payment named this one. */
  readonly movedFrom?: string;
  /** Click id of the customer whom the address alone had found, before another event of the payment named this one. */
  readonly takenFrom?: string;
  /** The address of the payment found the customer; no click, earlier payment or key did as well. */
  readonly isByAddressAlone?: true;
  /** Absent: not checked, because a conversion was already recorded, or because a code brought the customer. */
  readonly window?: WindowCheck;
  /** The customer's first sale, whose window was not checked: a code brought the customer. */
  readonly broughtByCode?: true;
}
