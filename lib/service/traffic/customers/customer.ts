import type { QualityOfClick } from '#lib/service/traffic/clicks/click-quality.ts';
import type { Code } from '#lib/service/programs/links/code.ts';
import { type Claim, counts, type TrustsBrowsers } from '#lib/service/traffic/customers/browser-claim.ts';
import type { EmailTrace } from '#lib/service/ground/addresses/email.ts';
import type { CustomerTraits } from '#lib/service/programs/terms/rules.ts';
import type { TermsInForce } from '#lib/service/programs/terms/terms.ts';

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

export type FirstTerms = TermsInForce | number;

/** What attribution needs of a customer. The customer item and the item of its key both hold it. Times are ISO 8601. */
export interface AttributedCustomer {
  /** Made by a verification chain: real events never match it, and it is not counted. */
  readonly isTest?: true;
  readonly clickId: string;
  readonly programId: number;
  /** Absent only when the operator unlinked the partner. */
  readonly partnerId?: number;
  /** Of the first click; absent for a customer whom a code made. */
  readonly shortLink?: string;
  /** The code that brought the customer to its partner, without a click or in spite of it. */
  readonly code?: string;
  /** Of a customer whom a code brought in spite of a click: the partner of that click. */
  readonly formerPartnerId?: number;
  readonly status: CustomerStatus;
  readonly leadState?: LeadState;
  readonly customerKey?: string;
  /** Only a browser claimed the key for this customer; absent = a server confirmed it. */
  readonly keyBoundBy?: Claim;
  /** The processor's customer who first paid: whoever pays with this click as another one is another person. */
  readonly firstPayer?: string;
  /** The guest, without customer id and key, who first paid with the click: the hash of the address. */
  readonly firstGuest?: string;
  /** The key that a sale sent together with the click, while a provisional lead kept it from being bound. */
  readonly unboundKey?: string;
  /** How many people have paid with this click; absent = at most one. */
  readonly people?: number;
  /** Of a person who pays with another customer's click: whose it is, and the how manieth to pay with it. */
  readonly sharedClick?: { readonly clickId: string; readonly place: number };
  readonly firstClickAt: string;
  readonly signupAt?: string;
  /** Payment time of the first sale: the first recorded one, or an earlier one that the processor told later. */
  readonly firstPurchaseAt?: string;
  /** Payment time of the first recorded sale, where that is another one. It gives the customer a place in lists. */
  readonly firstRecordedAt?: string;
  /**
   * The terms of the first recorded sale. Where its program pays renewals by them, they are here as a whole, so that a
   * renewal needs no further read; else only their version. Absent on customers who first paid before there were versions.
   */
  readonly firstTerms?: FirstTerms;
  /** What was paid by the recorded sales: `subscription` when one of them was of a subscription; absent = there is none. */
  readonly hasPaidFor?: 'payment' | 'subscription';
  /** What rules look at; absent = nothing is known. */
  readonly traits?: CustomerTraits;
  /** When the operator erased the person. Recorded events stay; new events cannot match this customer. */
  readonly erasedAt?: string;
  /** When an owner unlinked the customer. What was recorded stays; nothing new can mean this customer. */
  readonly unlinkedAt?: string;
}

/** The key of a customer, unless only a browser claimed it in a program that takes no browser's word. */
export const keyThatCounts = (
  { customerKey, keyBoundBy }: AttributedCustomer,
  program: TrustsBrowsers,
): string | undefined => (counts(keyBoundBy, program) ? customerKey : undefined);

/**
 * Whether a key moves to the customer of the click that a server sent with it: its present customer has it only from an
 * unauthenticated browser call.
 */
export const givesUpKey = (holder: AttributedCustomer, named: AttributedCustomer, program: TrustsBrowsers): boolean =>
  holder.keyBoundBy === 'browser' && holder.clickId !== named.clickId && keyThatCounts(named, program) === undefined;

/**
 * A person who came through a referral link, created by the first click, and the record of it; or one created by a
 * first payment: with a code, or with a click that is another customer's.
 */
export interface Customer extends AttributedCustomer, QualityOfClick {
  /** Event id of the first click. */
  readonly id: number;
  /** Made by a payment, with a code or with another customer's click. Absent = by a click. */
  readonly source?: 'code' | 'shared_click';
  readonly visit: Visit;
  /** Its network had clicked in the same minute before. Absent = not, or not known. */
  readonly isOfSeenNetwork?: boolean;
  readonly email?: EmailTrace;
  /** As in the history of a commission. */
  readonly unlinkedBy?: string;
  readonly unlinkReason?: string;
  /** Made by the code of a payment that turned out to be this customer's: whatever leads here means that one. */
  readonly movedTo?: string;
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

/** The link that is credited with what a customer does: none, when a code brought the customer. */
export const creditedLink = ({ code, shortLink }: AttributedCustomer): string | undefined =>
  code === undefined ? shortLink : undefined;

/** The partner of a customer's first click. */
export const partnerOfClick = ({ code, partnerId, formerPartnerId }: AttributedCustomer): number | undefined =>
  code === undefined ? partnerId : formerPartnerId;

/** Whether a code made the customer: there is no click. */
export const isMadeByCode = ({ code, shortLink }: AttributedCustomer): boolean =>
  code !== undefined && shortLink === undefined;

/** A customer whom a code makes. */
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
  // One that can match nothing is none.
  customerKey: customerKey || undefined,
  visit: {},
});

/** By which a payment tells a person from others who pay with the same click. */
export interface NamedPerson {
  readonly customerKey?: string;
  readonly payer?: string;
  readonly guest?: string;
}

/**
 * A person who pays with the click of another customer: of the same partner, since the same moment. What is known of the
 * visit may be the other one's, but for where it came from.
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

/** A customer whom a code brings to its partner: all that was recorded stays with the former one. */
export const movedByCode = <Moved extends AttributedCustomer>(
  customer: Moved,
  { code, partnerId }: Pick<Code, 'code' | 'partnerId'>,
): Moved => ({
  ...customer,
  code,
  partnerId,
  formerPartnerId: partnerOfClick(customer),
});

/** The part of a customer that is copied to the item of its key. */
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
