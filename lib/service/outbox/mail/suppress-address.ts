import type { Deps, OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { addressNotSuppressed } from '#lib/service/ground/values/refusals.ts';
import {
  liftSuppression,
  suppressAddress,
  type SuppressedAddress,
  suppressedAddresses,
} from '#lib/service/people/mail/mail-addresses-items.ts';
import { findMail } from '#lib/service/people/mail/mails-items.ts';
import { showMailState } from '#lib/service/programs/partners/mail-barrier.ts';

/** Stops e-mails to the recipient of an e-mail that bounced permanently or that the recipient reported as spam. */
export async function suppressAddressOf({ table, now }: Pick<Deps, 'table' | 'now'>, mailId: string): Promise<void> {
  const mail = await findMail(table, mailId);
  if (!mail) return;
  await suppressAddress(table, mail.to.email, now.toISOString());
  await showMailState({ table }, mail.to);
}

/** All suppressed e-mail addresses. */
export const listSuppressed = ({ table }: OperatorDeps): Promise<SuppressedAddress[]> => suppressedAddresses(table);

/**
 * Allows e-mails to a suppressed address again. If the call is interrupted, repeating it completes it.
 * @throws Refusal if the address is not suppressed
 */
export async function liftAddress({ table }: OperatorDeps, email: string): Promise<void> {
  if (!(await liftSuppression(table, email))) throw addressNotSuppressed(email);
  await showMailState({ table }, { email });
}
