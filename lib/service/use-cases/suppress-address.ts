import type { Deps, OperatorDeps } from '#lib/service/deps.ts';
import { addressNotSuppressed } from '#lib/domain/refusals.ts';
import {
  liftSuppression,
  suppressAddress,
  type SuppressedAddress,
  suppressedAddresses,
} from '#lib/service/store/mail-addresses.ts';
import { findMail } from '#lib/service/store/mails.ts';
import { showMailState } from '#lib/service/use-cases/mail-barrier.ts';

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
