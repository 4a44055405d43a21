import { dayOf } from '#lib/service/ground/values/day.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { detailOf, type UnattributedReason } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findMailing, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import {
  findUnattributedSale,
  putUnattributedPayment,
} from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import type { SentSaleRequest } from '#lib/service/conversions/sales/record-sale.ts';

/**
 * Stores the data of a sale that could not be recorded, so that the owner can fix the cause and retry it. A server may
 * send the same transaction id again for days. Then the newest data is stored, but with the payment time of the first
 * call.
 */
export async function recordUnattributedSale(
  deps: Pick<Deps, 'table' | 'now'>,
  { facts: sentFacts, customerKey, clickId, couponCode, occurredAt }: SentSaleRequest,
  program: Program,
  reason: UnattributedReason,
  detail?: string,
): Promise<void> {
  const { table, now } = deps;
  const facts = { ...sentFacts, currency: sentFacts.currency ?? program.currency };
  const { transactionId, amountCents, currency } = facts;
  const former = await findUnattributedSale(table, program.id, transactionId);
  const paidAt = occurredAt?.toISOString() ?? former?.sent?.paidAt ?? now.toISOString();
  await putUnattributedPayment(
    table,
    {
      programId: program.id,
      eventType: 'api',
      transactionId,
      amountCents,
      currency,
      reason,
      detail: detail ?? detailOf(reason, currency),
      sent: { facts, customerKey, clickId, couponCode, paidAt },
    },
    now,
  );
  if (reason === 'id_used_elsewhere') await mailOwners(deps, program);
}

/** Sends the owners at most one e-mail per program and day about such sales. */
async function mailOwners(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id: programId, name: programName, workspaceId }: Program,
): Promise<void> {
  const kind = 'sale_id_in_use';
  const fact = `${programId} ${dayOf(now)}`;
  // A server may send many sales with ids in use elsewhere. This read costs half of a failing conditional write.
  if (await findMailing(table, mailIdOf({ kind, fact }))) return;
  try {
    await table.transact(
      mailWrites({ kind, fact, to: { ownersOf: workspaceId }, data: { programId, programName }, now }),
    );
  } catch (error) {
    // A concurrent request has already created the e-mail.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
