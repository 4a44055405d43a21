import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { paymentsWaitingFor, type WaitingPayment } from '#lib/service/conversions/processors/processor-codes-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import {
  findUnattributedPayment,
  forgetUnattributedPayment,
} from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { NamedPayment, UnattributedOutcome } from '#lib/service/conversions/waiting/keep-payment.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { restoredPayment } from '#lib/service/conversions/waiting/retry-unattributed-payment.ts';
import { recordPaymentAsSale } from '#lib/service/conversions/payments/record-payment-as-sale.ts';

/** How many payments are read at once. */
const STRIDE = 25;

/**
 * Records payments that waited for a promotion code or discount, oldest first, so that a customer's first payment comes
 * before later ones. A payment for which other data is missing keeps waiting. May be repeated; a repetition continues
 * where the first run was interrupted.
 * @param waitedFor the processor's id of the promotion code or discount
 * @param most limits the number of payments, for a caller with limited time
 * @returns whether every payment was tried
 */
export async function retryWaitingPayments(
  deps: Deps,
  program: Program,
  waitedFor: string,
  most = Infinity,
): Promise<boolean> {
  const { table, now } = deps;
  let after: string | undefined;
  for (let tried = 0; tried < most;) {
    const waiting = await paymentsWaitingFor(table, program.id, waitedFor, { most: STRIDE, after });
    for (const one of waiting) {
      if (one.expires_at <= now.getTime() / 1_000) continue;
      table.forget();
      await retryOnConflict(deps, () => retryWaiting(deps, program, one));
    }
    tried += waiting.length;
    after = waiting.at(-1)?.sk;
    if (waiting.length < STRIDE) return true;
  }
  return false;
}

async function retryWaiting(deps: Deps, program: Program, { pk, sk, eventId }: WaitingPayment): Promise<void> {
  const { table } = deps;
  const stored = await findUnattributedPayment(table, program.id, eventId);
  const named = stored && (await restoredPayment(deps, stored, program));
  if (named) {
    const outcome = await recordUnlessElsewhere(deps, named);
    if (outcome === 'waiting_for_code') return;
    const isUnattributed = outcome === 'unattributed' && named.payment.payer.clickId === undefined;
    if (isUnattributed || outcome === 'nothing_paid') await forgetUnattributedPayment(table, program.id, eventId);
  }
  await table.transact([{ name: 'waitingForCode', key: { pk, sk }, remove: true }]);
}

/** A payment of an account with several programs waits in each of them, so another program may have recorded it. */
async function recordUnlessElsewhere(deps: Deps, named: NamedPayment): Promise<UnattributedOutcome | undefined> {
  const sale = await findSale(deps.table, named.payment.transactionId);
  return sale && sale.programId !== named.program.id ? undefined : recordPaymentAsSale(deps, named);
}
