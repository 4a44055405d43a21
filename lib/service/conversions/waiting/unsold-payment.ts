import { DAY_MS } from '#lib/service/ground/values/day.ts';
import { WAITING_DAYS } from '#lib/service/programs/program/processor.ts';
import { currencyUnsupported } from '#lib/service/ground/values/refusals.ts';
import {
  type MisspeltMetadata,
  MOST_REFERENCES,
  type ProcessorPayment,
} from '#lib/service/conversions/processors/processor-event.ts';
import type { SaleFacts } from '#lib/service/conversions/sales/sale.ts';
import type { Resolved } from '#lib/service/conversions/sales/sale-decision.ts';

/** Why a payment did not become a sale. */
export const unsoldReasons = [
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

export type UnsoldReason = (typeof unsoldReasons)[number];

/** A payment that named this program and was not recorded. */
export interface UnsoldPayment {
  readonly programId: number;
  /** Absent for a sale that the brand's server sent. */
  readonly eventId?: string;
  /** The processor's event type; `api` for a sale that the brand's server sent. */
  readonly eventType: string;
  readonly transactionId: string;
  readonly amountCents: number;
  /** As sent. */
  readonly currency: string;
  readonly reason: UnsoldReason;
  /** A sentence that says more than the reason. */
  readonly detail?: string;
  /** Made with a test card, in a program that is no sandbox: it may wait, and is never listed. */
  readonly isTest?: boolean;
  /** Absent for a sale that the brand's server sent, and of an erased customer. */
  readonly kept?: KeptPayment;
  /** What the brand's server sent; absent for a processor's payment, and of an erased customer. */
  readonly sent?: SentSale;
}

/** What a reason alone does not say; of the metadata their reader tells it. */
export const detailOf = (reason: UnsoldReason, currency: string): string | undefined =>
  reason === 'unsupported_currency' ? currencyUnsupported(currency.slice(0, 20)).message : undefined;

/** @param programId 0 when the metadata name no program that can be */
export const otherProgramText = (programId: number): string =>
  programId === 0 ? 'The metadata name a program that does not exist.' : `The metadata name program ${programId}.`;

export const misspeltText = ({ name, meant }: Pick<MisspeltMetadata, 'name' | 'meant'>): string =>
  `The metadata have ${name}. Did you mean ${meant}?`;

/** What a sale of the sale endpoint needs to be recorded. */
export interface SentSale {
  readonly facts: SaleFacts;
  readonly customerKey?: string;
  readonly clickId?: string;
  readonly couponCode?: string;
  /** ISO 8601. */
  readonly paidAt: string;
}

/** The id under which a program's sale is recorded whose own id another program has. */
export const idWithinProgram = (programId: number, transactionId: string): string => `${programId}_${transactionId}`;

/** When a payment came in, ISO 8601. */
export type StoredUnsoldPayment = UnsoldPayment & { readonly at: string };

/**
 * What a payment needs to be tried again, beside the fields that are listed. It has no e-mail address, because a sale
 * stores none, but the customer to whom the address led when the payment came in.
 */
export interface KeptPayment extends Omit<
  ProcessorPayment,
  'transactionId' | 'amountCents' | 'currency' | 'programId' | 'paidAt'
> {
  /** ISO 8601. */
  readonly paidAt: string;
  /** Of the customer whom it named, so that an erasure finds it. */
  readonly clickId?: string;
  /** The processor's account, or the program whose own endpoint it came to: ids of codes are known within it. */
  readonly codeScope: string;
}

export function keptPayment(payment: ProcessorPayment, resolved: Resolved | undefined): Omit<KeptPayment, 'codeScope'> {
  const { taxCents, order, settlesLead, awaitsIntent, paymentIntentId, subscriptionId, paidAt, discounts } = payment;
  const { clickId, isClickReferred, processorCustomerId, customerKey, foundByEmail } = payment.payer;
  // Else a guest would be the click's customer when it is tried again.
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

/** Of somebody who is not stored, the customer whose click it is. */
const namedClickOf = ({ customer: { clickId, sharedClick }, isNew }: Resolved): string =>
  (isNew && sharedClick?.clickId) || clickId;

export const paymentOf = (
  { transactionId, amountCents, currency }: UnsoldPayment,
  { paidAt, clickId: _named, codeScope: _scope, ...kept }: KeptPayment,
): ProcessorPayment => ({ ...kept, transactionId, amountCents, currency, paidAt: new Date(paidAt) });

const WAITING_MS = WAITING_DAYS * DAY_MS;

/**
 * Whether owners are told: not of tests, nor of what was discounted as a whole, nor of an invoice that may still hear of
 * its payment intent.
 */
export const isListed = ({ reason, isTest, amountCents, at }: StoredUnsoldPayment, now: Date): boolean =>
  !isTest &&
  amountCents > 0 &&
  (reason !== 'waiting_for_payment_intent' || now.getTime() - Date.parse(at) >= WAITING_MS);
