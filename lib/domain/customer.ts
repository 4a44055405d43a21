import type { EmailTrace } from '#lib/domain/email.ts';

export const customerStatuses = ['click', 'lead', 'conversion'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];
export type LeadState = 'provisional' | 'settled';

/**
 * A customer status and those it may be reached from. The write conditions are derived from it.
 *
 *     click ──settled lead──→ lead ──first real sale──→ conversion
 *       └─────────────first real sale──────────────────────↑
 */
export const customerMayBecome = {
  lead: ['click'],
  conversion: ['click', 'lead'],
} as const satisfies Record<Exclude<CustomerStatus, 'click'>, readonly CustomerStatus[]>;

/** What attribution needs of a customer. The customer item and the item of its key both hold it. Times are ISO 8601. */
export interface AttributedCustomer {
  /** Made by a verification chain: real events never match it, and it is not counted. */
  readonly isTest?: true;
  readonly clickId: string;
  readonly programId: number;
  /** Absent only when the operator unlinked the partner. */
  readonly partnerId?: number;
  readonly shortLink: string;
  readonly status: CustomerStatus;
  readonly leadState?: LeadState;
  readonly customerKey?: string;
  /** Only a browser claimed the key for this customer; absent = a server confirmed it. */
  readonly keyBoundBy?: 'browser';
  readonly firstClickAt: string;
  readonly signupAt?: string;
  /** Payment time of the first recorded sale. */
  readonly firstPurchaseAt?: string;
  /** When the operator erased the person. Recorded events stay; new events cannot match this customer. */
  readonly erasedAt?: string;
  /** When an owner unlinked the customer. What was recorded stays; nothing new can mean this customer. */
  readonly unlinkedAt?: string;
}

/**
 * Whether a key moves to the customer of the click that a server sent with it: its present customer has it only from an
 * unauthenticated browser call.
 */
export const givesUpKey = (holder: AttributedCustomer, named: AttributedCustomer): boolean =>
  holder.keyBoundBy === 'browser' && holder.clickId !== named.clickId && named.customerKey === undefined;

/** A person who came through a referral link. Created by the first click, and the record of it. */
export interface Customer extends AttributedCustomer {
  /** Event id of the first click. */
  readonly id: number;
  readonly visit: Visit;
  readonly email?: EmailTrace;
  /** As in the history of a commission. */
  readonly unlinkedBy?: string;
  readonly unlinkReason?: string;
}

/** A customer that an owner unlinked, and why. */
export type UnlinkedCustomer = Required<Pick<Customer, 'clickId' | 'unlinkedAt' | 'unlinkReason'>>;

/** What the browser said about a click. */
export interface Visit {
  /** Absent only when the person was erased. */
  readonly affiliateUrl?: string;
  readonly pageUrl?: string;
  readonly pageTitle?: string;
  readonly referrerUrl?: string;
  readonly sessionId?: string;
  readonly userAgent?: string;
  readonly screenResolution?: string;
  readonly viewportSize?: string;
  readonly language?: string;
  readonly timezone?: string;
}

/** The part of a customer that is copied to the item of its key. */
export const attributedPart = (customer: AttributedCustomer): AttributedCustomer => ({
  isTest: customer.isTest,
  clickId: customer.clickId,
  programId: customer.programId,
  partnerId: customer.partnerId,
  shortLink: customer.shortLink,
  status: customer.status,
  leadState: customer.leadState,
  customerKey: customer.customerKey,
  keyBoundBy: customer.keyBoundBy,
  firstClickAt: customer.firstClickAt,
  signupAt: customer.signupAt,
  firstPurchaseAt: customer.firstPurchaseAt,
});
