import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import {
  detailOf,
  keptPayment,
  type UnattributedPayment,
  type UnattributedReason,
} from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { parkPayment, type PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import { type UnknownCode, waitForCodeWrites } from '#lib/service/conversions/processors/processor-codes-items.ts';
import { unattributedPaymentWrite } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A payment of a program, with the customer that it identifies and the event that reported it. */
export interface NamedPayment {
  readonly payment: ProcessorPayment;
  readonly program: Program;
  readonly resolved?: Resolved<Customer>;
  /** `isLive` says whether the payment counts in this program (see `isRealIn`). */
  readonly event: { readonly id: string; readonly type: string; readonly isLive: boolean; readonly cameInAt: Date };
  /**
   * The scope in which ids of promotion codes are unique: the processor's account, or the program whose endpoint
   * received the event.
   */
  readonly codeScope: string;
  /** The transaction id under which an owner's retry records the payment, if it is not the payment's own id. */
  readonly recordedAs?: string;
  /** A write that is added to the last transaction of the processing. Undefined if no event is being processed. */
  readonly processed?: Write;
}

/** Maps why a payment was not recorded, as the log states it, to the reason in the list of unattributed payments. */
const reasonsInList = {
  unsupported_currency: 'unsupported_currency',
  unattributed: 'unknown_click',
  bot_click: 'bot_click',
  other_program: 'other_program',
  misspelt_metadata: 'misspelt_metadata',
  sale_of_another_program: 'id_used_elsewhere',
  no_partner_relation: 'no_partner_relation',
  no_partner: 'no_partner_relation',
  attribution_window_expired: 'attribution_window_expired',
  click_after_payment: 'click_after_payment',
  waiting: 'waiting_for_payment_intent',
  waiting_for_code: 'waiting_for_code',
  nothing_paid: 'waiting_for_code',
  live_payment: 'live_payment',
} as const satisfies Readonly<Record<string, UnattributedReason>>;

export type UnattributedOutcome = keyof typeof reasonsInList;

export const reasonInList = (outcome: UnattributedOutcome): UnattributedReason => reasonsInList[outcome];

type Waiting = 'waiting' | 'waiting_for_code';

/** Whether the payment is stored until more is known about it. */
export const isWaiting = (outcome: UnattributedOutcome): outcome is Waiting =>
  outcome === 'waiting' || outcome === 'waiting_for_code';

export const unattributedPayment = (
  { payment, program, resolved, event, codeScope }: NamedPayment,
  outcome: UnattributedOutcome,
  detail?: string,
): UnattributedPayment => ({
  programId: program.id,
  eventId: event.id,
  eventType: event.type,
  transactionId: payment.transactionId,
  amountCents: payment.amountCents,
  currency: payment.currency,
  reason: reasonInList(outcome),
  detail: detail ?? detailOf(reasonInList(outcome), payment.currency),
  ...(!event.isLive && !program.isSandbox && { isTest: true }),
  kept: { ...keptPayment(payment, resolved), codeScope },
});

/**
 * Writes that make an invoice wait for its payment intent. Stripe reports the invoice by two events; the first of them
 * stores the invoice.
 */
export const waitForIntentWrites = ({ now }: Deps, named: NamedPayment, trace: PaymentTrace): Write[] =>
  trace.keptBy === undefined
    ? [
        ...parkPayment(trace, { keptBy: named.event.id }, now),
        unattributedPaymentWrite(unattributedPayment(named, 'waiting'), named.event.cameInAt),
      ]
    : [];

/**
 * Writes that make a payment wait for the promotion codes of its discounts. Several events may report one payment; each
 * waits separately, because their discounts may differ.
 * @param trace the payment's ids, which are linked so that later events find it; undefined if no other event can refer
 * to this payment
 */
export const waitForCodeOfPaymentWrites = (
  { now }: Deps,
  named: NamedPayment,
  unknown: readonly UnknownCode[],
  trace?: PaymentTrace,
): Write[] => {
  const { program, event, payment, codeScope: scope } = named;
  const waiting = { programId: program.id, scope, eventId: event.id, cameInAt: event.cameInAt };
  const isParked = !trace || [...trace.items.values()].every((item) => item?.keptBy !== undefined);
  return [
    ...(isParked ? [] : parkPayment(trace, { keptBy: event.id, paymentIntentId: payment.paymentIntentId }, now)),
    unattributedPaymentWrite(unattributedPayment(named, 'waiting_for_code'), event.cameInAt),
    ...byKey(unknown.flatMap((one) => waitForCodeWrites(waiting, one))),
  ];
};

/** Keeps one write per item, which a transaction requires. Several discounts may have the same code. */
const byKey = (writes: readonly Write[]): Write[] => [
  ...new Map(writes.map((write) => [`${write.key.pk} ${write.key.sk}`, write])).values(),
];
