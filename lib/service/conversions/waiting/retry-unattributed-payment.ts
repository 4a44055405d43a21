import type { Program } from '#lib/service/programs/program/program.ts';
import { paymentOf, type StoredUnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { PaymentTrace } from '#lib/service/conversions/payments/payments-items.ts';
import { findUnattributedPayment } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import type { Delivery, Unprocessed } from '#lib/service/conversions/processors/delivery.ts';
import { resolvePayer } from '#lib/service/conversions/payers/resolve-payer.ts';
import { isWaiting, type NamedPayment } from '#lib/service/conversions/waiting/keep-payment.ts';
import { recordPaymentAsSale } from '#lib/service/conversions/payments/record-payment-as-sale.ts';

/**
 * Records an invoice that waited for its payment intent, which an event has now reported. One transaction stores the
 * sale and marks the event as processed, so after a crash both are done again.
 * @param trace everything that is stored under the payment's ids
 * @returns why no sale was recorded
 */
export async function retryUnattributedPayment(
  deps: Deps,
  { programs, processed }: Delivery,
  { programId, keptBy = '' }: PaymentTrace,
): Promise<Unprocessed> {
  const { table } = deps;
  // The cached items were read before the payment's ids were linked, so they are outdated.
  table.forget();
  const stored = await findUnattributedPayment(table, programId, keptBy);
  const program = programs.find(({ id }) => id === programId);
  const named = stored && program && (await restoredPayment(deps, stored, program, processed));
  if (named) {
    const outcome = await recordPaymentAsSale(deps, named);
    return outcome && !isWaiting(outcome) ? outcome : undefined;
  }
  // The stored payment was removed, because its customer was erased.
  await table.transact([processed]);
  return undefined;
}

/** Restores a stored payment, and finds the customer that it identifies now. Undefined if its data was removed. */
export async function restoredPayment(
  deps: Deps,
  stored: StoredUnattributedPayment,
  program: Program,
  processed?: Write,
): Promise<NamedPayment | undefined> {
  const { kept, eventId, eventType: type, isTest, reason, at } = stored;
  if (!kept || eventId === undefined) return undefined;
  const payment = paymentOf(stored, kept);
  const resolved = await resolvePayer(deps, payment.payer, program);
  const event = { id: eventId, type, isLive: !isTest && reason !== 'live_payment', cameInAt: new Date(at) };
  return { payment, program, resolved, event, codeScope: kept.codeScope, processed };
}
