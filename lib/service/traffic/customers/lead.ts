import type { UnconfirmedSource } from '#lib/service/traffic/customers/browser-claim.ts';
import type { LeadState } from '#lib/service/traffic/customers/customer.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';

/**
 * The only lead of a customer. A browser records it provisionally; a server's request or a payment confirms it. Times
 * are ISO 8601.
 */
export interface Lead {
  readonly id: number;
  /** Set for test events, which match only test customers. */
  readonly isTest?: true;
  readonly clickId: string;
  readonly programId: number;
  readonly partnerId?: number;
  /** The referral link of the first click. Undefined if a coupon code attributed the customer. */
  readonly shortLink?: string;
  readonly state: LeadState;
  readonly mode: 'server' | 'browser' | 'processor';
  readonly createdAt: string;
  readonly email?: EmailTrace;
  /** The time from which payments find the customer by the e-mail address; undefined if they do not. */
  readonly emailListedAt?: string;
  /** Set if only a browser sent the address by which payments find the customer. */
  readonly emailClaimedBy?: UnconfirmedSource;
  /** The customer key that a browser sent with a provisional lead. It is not linked to the customer. */
  readonly claimedKey?: string;
  /**
   * Click id of the customer who lost the key to this lead's customer. Only a browser had claimed the key for that
   * customer.
   */
  readonly keyTakenFrom?: string;
  /** Set if the lead has earned a commission. The commission has the lead's id. */
  readonly earned?: true;
  readonly eventName?: string;
  readonly pageUrl?: string;
  readonly sessionId?: string;
  readonly otherClickIds?: readonly string[];
}
