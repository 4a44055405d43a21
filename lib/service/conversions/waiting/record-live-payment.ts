import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { idsOfPayment, parkPayment, spaceOf, tracePayment } from '#lib/service/conversions/payments/payments-items.ts';
import {
  forgottenPaymentWrite,
  unattributedPaymentWrite,
} from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { type NamedPayment, unattributedPayment } from '#lib/service/conversions/waiting/keep-payment.ts';

/**
 * Lists a live payment of a sandbox program, only once even if several events report it. The first event lists it under
 * the payment's ids, by which other events find it. If a later event shows that two listed payments are the same, only
 * one stays in the list.
 * @throws ConditionFailed after a concurrent change: reload and decide again
 */
export async function recordLivePayment(deps: Deps, named: NamedPayment): Promise<void> {
  const { table, now } = deps;
  const { payment, program, event } = named;
  if (payment.amountCents === 0) return;
  const trace = await tracePayment(table, program.id, idsOfPayment(payment), spaceOf(false));
  const keepers = new Set([...trace.items.values()].flatMap((item) => item?.keptBy ?? []));
  const listed = keepers.size === 0 || keepers.has(event.id) ? event.id : [...keepers][0]!;
  const isKnown = [...trace.items.values()].every((item) => item?.keptBy !== undefined);
  const others = [...keepers].filter((id) => id !== listed);
  const writes = [
    ...(isKnown ? [] : parkPayment(trace, { keptBy: listed }, now)),
    ...(listed === event.id
      ? [unattributedPaymentWrite(unattributedPayment(named, 'live_payment'), event.cameInAt)]
      : []),
    ...others.map((id) => forgottenPaymentWrite(program.id, id)),
  ];
  if (writes.length > 0) await table.transact(writes);
}
