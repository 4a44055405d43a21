import { claimOf, isUnattributed } from '#lib/service/conversions/attribution/code-claim.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { payerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import { customerWrites } from '#lib/service/traffic/customers/paying-customers-items.ts';
import { codeOfPayment } from '#lib/service/conversions/waiting/find-payment-code.ts';
import {
  type NamedPayment,
  type UnattributedOutcome,
  waitForCodeOfPaymentWrites,
} from '#lib/service/conversions/waiting/keep-payment.ts';

/**
 * Handles a payment of zero after a full discount. It is not recorded as a sale. If its payer is unknown, a customer of
 * the coupon code's partner is created for the payer, so that later payments are attributed to this partner.
 * @returns why no customer was created for the payer; undefined if one was
 * @throws ConditionFailed after a concurrent change: the caller must reload and decide again
 */
export async function bindPayer(deps: Deps, named: NamedPayment): Promise<UnattributedOutcome | undefined> {
  const { table } = deps;
  const { payment, program, resolved, event, codeScope, processed } = named;
  const { paidAt, payer } = payment;
  const times = { paidAt, cameInAt: event.cameInAt };
  const { processorCustomerId, customerKey } = payer;
  // Whether at least one of these identifiers could find the customer for a later payment.
  const isFindable = processorCustomerId !== undefined || Boolean(customerKey);
  if (!event.isLive || !isFindable || !isUnattributed(resolved?.customer, times, program)) return 'nothing_paid';
  const { code, unknown } = await codeOfPayment(table, payment, program.id, codeScope);
  const lastly = processed ? [processed] : [];
  if (!code && unknown.length > 0) {
    await table.transact([...waitForCodeOfPaymentWrites(deps, named, unknown), ...lastly]);
    return 'waiting_for_code';
  }
  const newcomer = { id: await deps.ids.take(table), clickId: deps.random.clickId(), customerKey };
  const claim = claimOf(resolved, { code, newcomer, ...times }, program);
  if (claim?.resolvedBy !== 'code') return 'nothing_paid';
  const { stored, customer } = claim;
  await table.transact([
    ...customerWrites(stored, customer),
    ...(processorCustomerId === undefined ? [] : await payerWrites(table, customer, processorCustomerId)),
    ...lastly,
  ]);
  return undefined;
}
