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

/** Sends nothing more to the address of a mail that came back for good, or that its person called unwanted. */
export async function suppressAddressOf({ table, now }: Pick<Deps, 'table' | 'now'>, mailId: string): Promise<void> {
  const mail = await findMail(table, mailId);
  if (!mail) return;
  await suppressAddress(table, mail.to.email, now.toISOString());
  await showMailState({ table }, mail.to);
}

/** Every address to which nothing is sent any more. */
export const listSuppressed = ({ table }: OperatorDeps): Promise<SuppressedAddress[]> => suppressedAddresses(table);

/** Lets mails go to an address again. Repeating an interrupted lift completes it. @throws Refusal when nothing is known of it */
export async function liftAddress({ table }: OperatorDeps, email: string): Promise<void> {
  if (!(await liftSuppression(table, email))) throw addressNotSuppressed(email);
  await showMailState({ table }, { email });
}
