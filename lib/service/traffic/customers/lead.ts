import type { Claim } from '#lib/service/traffic/customers/browser-claim.ts';
import type { LeadState } from '#lib/service/traffic/customers/customer.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';

/** A customer's one lead: recorded provisionally by a browser, settled by a server. Times are ISO 8601. */
export interface Lead {
  readonly id: number;
  readonly isTest?: true;
  readonly clickId: string;
  readonly programId: number;
  readonly partnerId?: number;
  /** Of the customer's first click; absent when a code brought the customer. */
  readonly shortLink?: string;
  readonly state: LeadState;
  readonly mode: 'server' | 'browser' | 'processor';
  readonly createdAt: string;
  readonly email?: EmailTrace;
  /** Since when payments find the customer by the address. Absent: never. */
  readonly emailListedAt?: string;
  /** Only a browser named the address under which the customer is listed. */
  readonly emailClaimedBy?: Claim;
  /** What an unauthenticated caller said the key is; not bound to the customer. */
  readonly claimedKey?: string;
  /** Click id of the customer for whom a browser had claimed the key that this lead moved to its own customer. */
  readonly keyTakenFrom?: string;
  /** It has a commission, of the same number. */
  readonly earned?: true;
  readonly eventName?: string;
  readonly pageUrl?: string;
  readonly sessionId?: string;
  readonly otherClickIds?: readonly string[];
}
