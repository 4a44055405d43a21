import { isOpen } from '#lib/service/programs/links/code.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { ProcessorEvent, ProcessorPayment } from '#lib/service/conversions/processors/processor-event.ts';
import { isRealIn, type Program } from '#lib/service/programs/program/program.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { findCustomerByKey } from '#lib/service/traffic/customers/customer-keys-items.ts';
import { findCustomerByPayer } from '#lib/service/conversions/payers/payers-items.ts';
import { idsOfPayment, spaceOf, tracePayment } from '#lib/service/conversions/payments/payments-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { findSubscription } from '#lib/service/conversions/sales/subscriptions-items.ts';
import type { Delivery, Unprocessed } from '#lib/service/conversions/processors/delivery.ts';
import { codeOfPayment } from '#lib/service/conversions/waiting/find-payment-code.ts';
import { isWaiting } from '#lib/service/conversions/waiting/keep-payment.ts';
import { storeUnattributedPayment } from '#lib/service/conversions/waiting/store-unattributed-payment.ts';
import { recordMisnamedPayment } from '#lib/service/conversions/waiting/record-misnamed-payment.ts';
import { resolvePayer } from '#lib/service/conversions/payers/resolve-payer.ts';
import { recordPaymentAsSale } from '#lib/service/conversions/payments/record-payment-as-sale.ts';

/** Starts the reads of a payment that depend only on the event and its program. */
export function readAheadOfPayment(
  { table }: Deps,
  event: ProcessorEvent,
  payment: ProcessorPayment,
  programId: number,
): readonly Promise<unknown>[] {
  const { clickId, customerKey, processorCustomerId } = payment.payer;
  return [
    findSale(table, payment.transactionId),
    findAgreements(table, programId),
    findCustomer(table, clickId),
    findCustomerByKey(table, programId, customerKey),
    ...(processorCustomerId === undefined ? [] : [findCustomerByPayer(table, programId, processorCustomerId)]),
    tracePayment(table, programId, idsOfPayment(payment), spaceOf(event.isLive)),
    codeOfPayment(table, payment, programId, String(programId)),
    findSubscription(table, programId, payment.subscriptionId),
  ];
}

/**
 * Records a payment from an event as a sale. The sale's program is the one that the payment identifies, or the one that
 * has its coupon code.
 * @returns why no sale was recorded; undefined for a payment that waits for further events, because it counts as
 * processed
 */
export async function recordPayment(deps: Deps, delivery: Delivery, payment: ProcessorPayment): Promise<Unprocessed> {
  const { event, processed, scope } = delivery;
  const candidates = await candidatesOf(deps, delivery, payment);
  const named = await namedBy(deps, candidates, delivery, payment);
  const { id, type, isLive } = event;
  if (named.length === 0) await storeAsUnattributed(deps, delivery, payment, candidates);
  let outcome: Unprocessed = 'no_program';
  for (const [index, one] of named.entries()) {
    const unattributed = await recordPaymentAsSale(deps, {
      ...one,
      payment,
      event: { id, type, isLive: isRealIn(one.program, isLive), cameInAt: deps.now },
      codeScope: scope,
      // The transaction of the last program also marks the event as processed.
      processed: index === named.length - 1 ? processed : undefined,
    });
    outcome = unattributed && !isWaiting(unattributed) ? unattributed : undefined;
  }
  const isUnattributed = outcome !== undefined && named.every(({ resolved }) => !resolved);
  return (isUnattributed ? await recordMisnamedPayment(deps, delivery, payment) : undefined) ?? outcome;
}

/**
 * The programs that the payment may belong to. If its metadata name one of the given programs, only that one. If they
 * name another program, the one that has already recorded the payment. Otherwise all given programs.
 */
async function candidatesOf(
  deps: Deps,
  { event, programs }: Delivery,
  payment: ProcessorPayment,
): Promise<readonly Program[]> {
  if (payment.programId === undefined) return programs;
  const named = programs.filter(({ id }) => id === payment.programId);
  return named.length > 0 ? named : programWithSale(deps, programs, event, payment);
}

/** Stores the payment as unattributed in each of the programs that it may belong to. */
async function storeAsUnattributed(
  deps: Deps,
  { event: { id, type, isLive }, scope }: Delivery,
  payment: ProcessorPayment,
  programs: readonly Program[],
): Promise<void> {
  if (payment.amountCents === 0) return;
  await Promise.all(
    programs.map((program) => {
      const event = { id, type, isLive: isRealIn(program, isLive), cameInAt: deps.now };
      return storeUnattributedPayment(deps, { program, payment, event, codeScope: scope }, 'no_program');
    }),
  );
}

/**
 * The program of a payment: the one with its sale, else the one with its customer, else the only candidate, else the
 * only one with its coupon code. While the code's text is unknown, the payment waits in every candidate.
 */
async function namedBy(
  deps: Deps,
  candidates: readonly Program[],
  { event, scope }: Pick<Delivery, 'event' | 'scope'>,
  payment: ProcessorPayment,
): Promise<{ program: Program; resolved?: Resolved<Customer> }[]> {
  const asked = await thoseWithSale(deps, candidates, event, payment);
  for (const program of asked) {
    const resolved = await resolvePayer(deps, payment.payer, program);
    if (resolved) return [{ program, resolved }];
  }
  if (asked.length === 1) return asked.map((program) => ({ program }));
  const codes = await Promise.all(
    candidates.map(async (program) => ({
      program,
      ...(await codeOfPayment(deps.table, payment, program.id, scope)),
    })),
  );
  const having = codes.filter(({ code, program }) => code && isOpen(code, program));
  const waiting = codes.filter(({ unknown }) => unknown.length > 0);
  if (having.length === 0) return waiting.map(({ program }) => ({ program }));
  return having.length === 1 ? having.map(({ program }) => ({ program })) : [];
}

/** The program that has already recorded the payment, as a list; all candidates if none has recorded it. */
async function thoseWithSale(
  deps: Deps,
  candidates: readonly Program[],
  event: Delivery['event'],
  payment: ProcessorPayment,
): Promise<readonly Program[]> {
  if (candidates.length < 2) return candidates;
  const recorded = await programWithSale(deps, candidates, event, payment);
  return recorded.length > 0 ? recorded : candidates;
}

/** The program that has recorded the payment, reported by the brand's server or by another event. Empty if none has. */
async function programWithSale(
  { table }: Deps,
  programs: readonly Program[],
  event: Delivery['event'],
  payment: ProcessorPayment,
): Promise<readonly Program[]> {
  const traces = await Promise.all(
    programs.map((program) =>
      tracePayment(table, program.id, idsOfPayment(payment), spaceOf(isRealIn(program, event.isLive))),
    ),
  );
  const at = traces.findIndex(({ transactionId }) => transactionId !== undefined);
  return at < 0 ? [] : programs.slice(at, at + 1);
}
