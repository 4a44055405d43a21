import { payerNamesOf, TOO_LATE_FOR_PAYER } from '#lib/service/conversions/payers/unattributed-payer.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { firstUnattributedOf, unattributedPayerWrites } from '#lib/service/conversions/payers/payers-items.ts';
import {
  idsOfPayment,
  linkIdsOfPayment,
  spaceOf,
  tracePayment,
} from '#lib/service/conversions/payments/payments-items.ts';
import { unattributedPaymentWrite } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import {
  type NamedPayment,
  type UnattributedOutcome,
  unattributedPayment,
} from '#lib/service/conversions/waiting/keep-payment.ts';
import { findAddressed, findKeyedCustomer, guestOf } from '#lib/service/conversions/payers/resolve-payer.ts';
import { warningsOfClick } from '#lib/service/traffic/clicks/warnings-of-click.ts';

/** Whether a payment that is not recorded is listed for the owner. */
export const mustBeListed = ({ resolved, payment }: NamedPayment): boolean =>
  resolved !== undefined || payment.payer.clickId !== undefined;

/** Results after which a payment counts as unattributed. */
const UNATTRIBUTED: ReadonlySet<UnattributedOutcome | 'no_program'> = new Set([
  'unattributed',
  'no_program',
  'bot_click',
  'click_after_payment',
  'attribution_window_expired',
  'no_partner_relation',
  'no_partner',
]);

/**
 * Handles a payment that is not recorded as a sale. The owner sees it in a list if it identifies a customer or click.
 * If it is unattributed, its payer is remembered, so that a person who signs up later with the payer's e-mail address
 * gets no credit for later payments. Its ids stay linked for a while, because the brand's server may record the payment
 * by one of them, and a refund may refer to another.
 * @param attempted why the payment could not be recorded; `no_program` means that it may also be a payment of other
 * programs
 * @returns why it is no sale
 * @throws ConditionFailed after a concurrent change: reload and decide again
 */
export async function storeUnattributedPayment<Attempted extends UnattributedOutcome | 'no_program'>(
  deps: Deps,
  named: NamedPayment,
  attempted: Attempted,
): Promise<Attempted | UnattributedOutcome> {
  const { payment, program, event, resolved } = named;
  if (!event.isLive) return attempted;
  if (attempted === 'sale_of_another_program') {
    deps.log.warn('id_used_elsewhere', { program_id: program.id, event_id: event.id });
  }
  const isUnclaimed = attempted === 'unattributed' || attempted === 'no_program';
  const [tooLate, trace] = await Promise.all([
    isUnclaimed ? withLateClaim(deps, named) : undefined,
    tracePayment(deps.table, program.id, idsOfPayment(payment), spaceOf(event.isLive)),
  ]);
  const links = linkIdsOfPayment(trace, deps.now);
  if (tooLate) {
    const listed = unattributedPayment(tooLate, 'click_after_payment', TOO_LATE_FOR_PAYER);
    await write(deps, [
      unattributedPaymentWrite(listed, event.cameInAt),
      ...(await payerWritesOf(deps, named)),
      ...links,
    ]);
    return 'click_after_payment';
  }
  const outcome = attempted === 'unattributed' && (await isOfBot(deps, named)) ? 'bot_click' : attempted;
  const isUnattributed = UNATTRIBUTED.has(outcome) || (outcome === 'unsupported_currency' && !resolved);
  await write(deps, [
    ...(outcome !== 'no_program' && mustBeListed(named)
      ? [unattributedPaymentWrite(unattributedPayment(named, outcome), event.cameInAt)]
      : []),
    ...(isUnattributed ? await payerWritesOf(deps, named) : []),
    ...links,
  ]);
  return outcome;
}

/** Whether the payment's click was made by a bot or a link preview, and so was not counted. */
async function isOfBot(deps: Deps, { payment: { payer }, program }: NamedPayment): Promise<boolean> {
  const [warning] = await warningsOfClick(deps, payer.clickId, program.id);
  return warning === 'bot_click';
}

/**
 * Finds an unattributed payment's customer by e-mail address or key if this customer clicked only after the payment.
 * The result contains what a retry needs to find the same customer. Undefined if there is no such customer.
 */
async function withLateClaim({ table }: Deps, named: NamedPayment): Promise<NamedPayment | undefined> {
  const { payment, program } = named;
  const { payer } = payment;
  if ((await firstUnattributedOf(table, program.id, payerNamesOf(payer, program))) === undefined) return undefined;
  const [addressed, keyed] = await Promise.all([
    findAddressed(table, payer, program),
    findKeyedCustomer(table, program, payer.customerKey),
  ]);
  if (!addressed && !keyed) return undefined;
  const foundByEmail = addressed && {
    clickId: addressed.customer.clickId,
    masked: addressed.masked,
    isClaimed: addressed.isClaimed,
  };
  return { ...named, payment: { ...payment, payer: { ...payer, foundByEmail, guest: guestOf(payer, program) } } };
}

const payerWritesOf = ({ table }: Deps, { payment: { payer, paidAt }, program }: NamedPayment): Promise<Write[]> =>
  unattributedPayerWrites(table, program.id, payerNamesOf(payer, program), paidAt);

const write = async ({ table }: Deps, writes: readonly Write[]): Promise<void> =>
  writes.length === 0 ? undefined : table.transact(writes);
