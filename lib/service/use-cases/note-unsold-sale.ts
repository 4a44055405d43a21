import { dayOf } from '#lib/domain/day.ts';
import { mailIdOf } from '#lib/domain/mail.ts';
import type { SentSale, UnsoldPayment } from '#lib/domain/unsold-payment.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findMailing, mailWrites } from '#lib/service/store/mails.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { noteUnsoldSale } from '#lib/service/store/unsold-payments.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/**
 * Notes a sale whose id another program has, so that its owner can record it under another one, and leaves a mail for
 * the owners: one a program and day.
 */
export async function noteSaleOfUsedId(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  {
    facts,
    customerKey,
    clickId,
    couponCode,
    occurredAt: paidAt = now,
  }: Omit<SentSale, 'paidAt'> & { readonly occurredAt?: Date },
  programId: number,
): Promise<void> {
  const { transactionId, amountCents, currency } = facts;
  const unsold: UnsoldPayment = {
    programId,
    eventType: 'api',
    transactionId,
    amountCents,
    currency,
    reason: 'id_used_elsewhere',
    sent: { facts, customerKey, clickId, couponCode, paidAt: paidAt.toISOString() },
  };
  await noteUnsoldSale(table, unsold, now);
  const kind = 'sale_id_in_use';
  const fact = `${programId} ${dayOf(now)}`;
  // A server may send very many such sales: a read costs half of a condition that fails.
  if (await findMailing(table, mailIdOf({ kind, fact }))) return;
  const program = await findProgram(table, programId);
  if (!program) return;
  const { name: programName, workspaceId } = program;
  try {
    await table.transact(
      mailWrites({ kind, fact, to: { ownersOf: workspaceId }, data: { programId, programName }, now }),
    );
  } catch (error) {
    // Of several at once, the first has left the mail.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
