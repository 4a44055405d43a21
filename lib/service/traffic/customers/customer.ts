import type { QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import { type UnconfirmedSource, counts, type TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';

export const customerStatuses = ['click', 'lead', 'conversion'] as const;
export type CustomerStatus = (typeof customerStatuses)[number];
export type LeadState = 'provisional' | 'settled';

/**
 * Each customer status with the statuses that may change to it. The conditions of writes are derived from this table.
 *
 * click ──settled lead──→ lead ──first real sale──→ conversion
 * └─────────────first real sale──────────────────────↑
 */
export const customerMayBecome = {
  lead: ['click'],
  conversion: ['click', 'lead'],
} as const satisfies Record<Exclude<CustomerStatus, 'click'>, readonly CustomerStatus[]>;

export type FirstTerms = TermsInForce | number;

/**
 * The customer data that attribution needs. It is stored on the customer item and copied to the item of its key. Times
 * are ISO 8601.
 */
export interface AttributedCustomer {
  /** The customer was created by a test of the integration. Real events never match it, and it is not counted. */
  readonly isTest?: true;
  readonly clickId: string;
  readonly programId: number;
  /** The partner of the customer; undefined only if the operator unlinked the customer. */
  readonly partnerId?: number;
  /** The referral link of the first click. Undefined if the customer was created by a coupon code. */
  readonly shortLink?: string;
  /** The coupon code that attributed the customer to its partner, without a click or instead of the click's partner. */
  readonly code?: string;
  /** The partner of the click, if a coupon code overrode the click. */
  readonly formerPartnerId?: number;
  readonly status: CustomerStatus;
  readonly leadState?: LeadState;
  readonly customerKey?: string;
  /** Set if only a browser has sent the key. Undefined if a server has confirmed it. */
  readonly keyBoundBy?: UnconfirmedSource;
  /** The processor's customer id of the first payer. Another payer with the same click is another person. */
  readonly firstPayer?: string;
  /** The hashed e-mail address of the first payer with this click, if that was a guest without customer id and key. */
  readonly firstGuest?: string;
  /**
   * The key that a sale contained together with the click. It could not be linked to the customer, because the
   * customer's lead was not confirmed yet.
   */
  readonly unboundKey?: string;
  /** Number of people who have paid with this click. Undefined means at most one. */
  readonly people?: number;
  /**
   * Set on a person who pays with another customer's click: the id of this click, and the person's number among its
   * payers (2 for the second).
   */
  readonly sharedClick?: { readonly clickId: string; readonly place: number };
  readonly firstClickAt: string;
  readonly signupAt?: string;
  /** Payment time of the earliest known sale: the first recorded one, or an earlier one that was reported later. */
  readonly firstPurchaseAt?: string;
  /**
   * Payment time of the first recorded sale, if an earlier sale became known later. It decides the customer's position
   * in lists.
   */
  readonly firstRecordedAt?: string;
  /**
   * The terms of the first recorded sale. They are stored in full if the program pays renewals by them, so that a
   * renewal needs no further read; otherwise only their version is stored. Undefined if there is no sale yet.
   */
  readonly firstTerms?: FirstTerms;
  /**
   * `subscription` if at least one recorded sale was for a subscription, otherwise `payment`. Undefined if there are no
   * sales.
   */
  readonly hasPaidFor?: 'payment' | 'subscription';
  /** What the program's rules compare. Undefined if nothing is known. */
  readonly traits?: CustomerTraits;
  /** When the person was erased. Recorded events stay; new events cannot match this customer. */
  readonly erasedAt?: string;
  /** When an owner unlinked the customer. Recorded events stay; new events cannot match this customer. */
  readonly unlinkedAt?: string;
}

/** The customer's key. Undefined if only a browser has sent it and the program does not accept browsers. */
export const keyThatCounts = (
  { customerKey, keyBoundBy }: AttributedCustomer,
  program: TrustsBrowsers,
): string | undefined => (counts(keyBoundBy, program) ? customerKey : undefined);

/**
 * Whether a key moves from its present customer to the customer of the click that a server sent with the key. It moves
 * only if the present customer has it by a browser's claim.
 */
export const givesUpKey = (holder: AttributedCustomer, named: AttributedCustomer, program: TrustsBrowsers): boolean =>
  holder.keyBoundBy === 'browser' && holder.clickId !== named.clickId && keyThatCounts(named, program) === undefined;

/**
 * A person who came through a referral link, together with the record of the first click. A customer is also created by
 * a first payment with a coupon code, or with a click that belongs to another customer.
 */
export interface Customer extends AttributedCustomer, QualityOfClick {
  /** Event id of the first click. */
  readonly id: number;
  /** Set if a payment, not a click, created the customer: with a coupon code or another customer's click. */
  readonly source?: 'code' | 'shared_click';
  readonly visit: Visit;
  /**
   * When DynamoDB removes the click, in Unix seconds. Undefined if the customer has signed up or paid, and for clicks
   * that version 1 recorded.
   */
  readonly expires_at?: number;
  /**
   * Set if another click came from the same network earlier in the same minute. Undefined if none did, or if this is
   * unknown.
   */
  readonly isOfSeenNetwork?: boolean;
  readonly email?: EmailTrace;
  /** The actor who unlinked the customer, in the format of a commission's history. */
  readonly unlinkedBy?: string;
  readonly unlinkReason?: string;
  /**
   * Set if a coupon code created this customer, and a later event showed that the payment belongs to another customer.
   * Lookups return that other customer.
   */
  readonly movedTo?: string;
}

/** A customer whom an owner unlinked, with the reason. */
export type UnlinkedCustomer = Required<Pick<Customer, 'clickId' | 'unlinkedAt' | 'unlinkReason'>>;

/** The page and browser data that the browser sent with a click. */
export interface Visit {
  /** The landing page of the click; undefined only if the person was erased. */
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

/** The referral link credited with the customer's events. Undefined if a coupon code attributed the customer. */
export const creditedLink = ({ code, shortLink }: AttributedCustomer): string | undefined =>
  code === undefined ? shortLink : undefined;

/** The partner of a customer's first click. */
export const partnerOfClick = ({ code, partnerId, formerPartnerId }: AttributedCustomer): number | undefined =>
  code === undefined ? partnerId : formerPartnerId;

/** Whether a coupon code created the customer. Such a customer has no click. */
export const isMadeByCode = ({ code, shortLink }: AttributedCustomer): boolean =>
  code !== undefined && shortLink === undefined;

/** Builds a customer who is created by a coupon code. */
export const customerOfCode = (
  { code, programId, partnerId }: Pick<Code, 'code' | 'programId' | 'partnerId'>,
  { customerKey, ...newcomer }: Pick<Customer, 'id' | 'clickId' | 'customerKey' | 'firstClickAt'>,
): Customer => ({
  ...newcomer,
  source: 'code',
  code,
  programId,
  partnerId,
  status: 'click',
  // An empty key is not stored, because it matches no customer.
  customerKey: customerKey || undefined,
  visit: {},
});

/** What distinguishes people who pay with the same click. */
export interface NamedPerson {
  readonly customerKey?: string;
  readonly payer?: string;
  readonly guest?: string;
}

/**
 * Builds a customer for a person who pays with another customer's click. The partner and the time of the first click
 * are the same. Of the visit, only its origin is copied, because its other data may describe the person who clicked.
 */
export const customerOfSharedClick = (
  { id, clickId: shared, programId, shortLink, firstClickAt, traits, people = 1, ...clicked }: Customer,
  { clickId, customerKey, payer, guest }: NamedPerson & Pick<Customer, 'clickId'>,
): Customer => ({
  id,
  clickId,
  source: 'shared_click',
  sharedClick: { clickId: shared, place: people + 1 },
  programId,
  partnerId: partnerOfClick({ ...clicked, clickId: shared, programId, firstClickAt }),
  shortLink,
  status: 'click',
  customerKey: customerKey || undefined,
  firstPayer: payer,
  firstGuest: guest,
  firstClickAt,
  traits: traits && { adCampaign: traits.adCampaign, referrer: traits.referrer },
  quality: clicked.quality,
  visit: {},
});

/** Moves a customer to the partner of a coupon code. Recorded events stay with the former partner. */
export const movedByCode = <Moved extends AttributedCustomer>(
  customer: Moved,
  { code, partnerId }: Pick<Code, 'code' | 'partnerId'>,
): Moved => ({
  ...customer,
  code,
  partnerId,
  formerPartnerId: partnerOfClick(customer),
});

/** The fields of a customer that are copied to the item of its key. */
export const attributedPart = (customer: AttributedCustomer): AttributedCustomer => ({
  isTest: customer.isTest,
  clickId: customer.clickId,
  programId: customer.programId,
  partnerId: customer.partnerId,
  shortLink: customer.shortLink,
  code: customer.code,
  formerPartnerId: customer.formerPartnerId,
  status: customer.status,
  leadState: customer.leadState,
  customerKey: customer.customerKey,
  keyBoundBy: customer.keyBoundBy,
  firstClickAt: customer.firstClickAt,
  signupAt: customer.signupAt,
  firstPurchaseAt: customer.firstPurchaseAt,
  firstRecordedAt: customer.firstRecordedAt,
  firstTerms: customer.firstTerms,
  hasPaidFor: customer.hasPaidFor,
  traits: customer.traits,
  sharedClick: customer.sharedClick,
});
