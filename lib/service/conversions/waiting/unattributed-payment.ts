import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { WAITING_DAYS } from '#lib/service/programs/program/processor.ts';
import { currencyUnsupported } from '#lib/service/ground/values/refusals.ts';
import {
  type MisspeltMetadata,
  MOST_REFERENCES,
  type ProcessorPayment,
} from '#lib/service/conversions/processors/processor-event.ts';
import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';

/** Why a payment is not recorded as a sale. */
export const unattributedReasons = [
  'unsupported_currency',
  'attribution_window_expired',
  'click_after_payment',
  'no_partner_relation',
  'unknown_click',
  'bot_click',
  'other_program',
  'misspelt_metadata',
  'id_used_elsewhere',
  'waiting_for_payment_intent',
  'waiting_for_code',
  'live_payment',
] as const;

export type UnattributedReason = (typeof unattributedReasons)[number];

/** A payment of this program that is not recorded as a sale. */
export interface UnattributedPayment {
  readonly programId: number;
  /** The id of the processor's event; undefined for a sale sent by the brand's server. */
  readonly eventId?: string;
  /** The processor's event type, or `api` for a sale sent by the brand's server. */
  readonly eventType: string;
  readonly transactionId: string;
  readonly amountCents: number;
  /** The currency as sent. */
  readonly currency: string;
  readonly reason: UnattributedReason;
  /** A sentence with more detail than the reason. */
  readonly detail?: string;
  /**
   * Set for a payment by test card in a program that is no sandbox. Such a payment may wait for more data, but the
   * owner never sees it in the list.
   */
  readonly isTest?: boolean;
  /** The data stored for a retry; undefined for a sale sent by the brand's server, and if the customer was erased. */
  readonly kept?: KeptPayment;
  /** The sale sent by the brand's server. Undefined for a payment of the processor, and if the customer was erased. */
  readonly sent?: SentSale;
}

/** A sentence with more detail, for reasons that need one. The functions below make those about metadata. */
export const detailOf = (reason: UnattributedReason, currency: string): string | undefined =>
  reason === 'unsupported_currency' ? currencyUnsupported(currency.slice(0, 20)).message : undefined;

/** Explains that the payment names another program. @param programId 0 if the metadata contain no valid program id */
export const otherProgramText = (programId: number): string =>
  programId === 0 ? 'The metadata name a program that does not exist.' : `The metadata name program ${programId}.`;

export const misspeltText = ({ name, meant }: Pick<MisspeltMetadata, 'name' | 'meant'>): string =>
  `The metadata have ${name}. Did you mean ${meant}?`;

/** What a retry needs to record a sale that was sent to the sale endpoint. */
export interface SentSale {
  readonly facts: SaleFacts;
  readonly customerKey?: string;
  readonly clickId?: string;
  readonly couponCode?: string;
  /** When the payment was made, ISO 8601. */
  readonly paidAt: string;
}

/** The transaction id under which a program records a sale, if another program already uses the original id. */
export const idWithinProgram = (programId: number, transactionId: string): string => `${programId}_${transactionId}`;

/** A stored payment with the time at which it was received, ISO 8601. */
export type StoredUnattributedPayment = UnattributedPayment & { readonly at: string };

/**
 * The data that a retry of a payment needs, besides the fields of the list. The e-mail address is never stored.
 * Instead, this contains the customer that the address found when the payment was received.
 */
export interface KeptPayment extends Omit<
  ProcessorPayment,
  'transactionId' | 'amountCents' | 'currency' | 'programId' | 'paidAt'
> {
  /** When the payment was made, ISO 8601. */
  readonly paidAt: string;
  /** Click id of the customer that the payment identified. An erasure of this customer finds the payment by it. */
  readonly clickId?: string;
  /**
   * The scope in which ids of promotion codes are unique: the processor's account, or the program whose endpoint
   * received the event.
   */
  readonly codeScope: string;
}

export function keptPayment(payment: ProcessorPayment, resolved: Resolved | undefined): Omit<KeptPayment, 'codeScope'> {
  const { taxCents, order, settlesLead, awaitsIntent, paymentIntentId, subscriptionId, paidAt, discounts } = payment;
  const { clickId, isClickReferred, processorCustomerId, customerKey, foundByEmail } = payment.payer;
  // A guest pays without customer id and key. Without the hash, a retry would take the guest for the click's customer.
  const guest = resolved?.guest ?? payment.payer.guest;
  const found =
    resolved?.resolvedBy === 'email'
      ? { clickId: resolved.customer.clickId, masked: resolved.identifier, isClaimed: resolved.isClaimed }
      : foundByEmail;
  return {
    taxCents,
    order,
    settlesLead,
    awaitsIntent,
    paymentIntentId,
    subscriptionId,
    discounts,
    paidAt: paidAt.toISOString(),
    clickId: resolved && namedClickOf(resolved),
    references: payment.references.slice(0, MOST_REFERENCES),
    payer: { clickId, isClickReferred, processorCustomerId, customerKey, guest, foundByEmail: found },
  };
}

/**
 * The click id that a payment contained. For a new customer who paid with another customer's click, this is the other
 * customer's click id.
 */
const namedClickOf = ({ customer: { clickId, sharedClick }, isNew }: Resolved): string =>
  (isNew && sharedClick?.clickId) || clickId;

export const paymentOf = (
  { transactionId, amountCents, currency }: UnattributedPayment,
  { paidAt, clickId: _named, codeScope: _scope, ...kept }: KeptPayment,
): ProcessorPayment => ({ ...kept, transactionId, amountCents, currency, paidAt: new Date(paidAt) });

const WAITING_MS = WAITING_DAYS * DAY_MS;

/**
 * Whether the owner sees a payment in the list. Tests, fully discounted payments, and invoices that may still get their
 * payment intent are not listed.
 */
export const isListed = ({ reason, isTest, amountCents, at }: StoredUnattributedPayment, now: Date): boolean =>
  !isTest &&
  amountCents > 0 &&
  (reason !== 'waiting_for_payment_intent' || now.getTime() - Date.parse(at) >= WAITING_MS);
