import type { Deps } from '#lib/service/deps.ts';
import { suppressAddress } from '#lib/service/store/mail-addresses.ts';
import { findMail } from '#lib/service/store/mails.ts';
import { showMailState } from '#lib/service/use-cases/mail-barrier.ts';

/** Sends nothing more to the address of a mail that came back for good, or that its person called unwanted. */
export async function suppressAddressOf({ table, now }: Pick<Deps, 'table' | 'now'>, mailId: string): Promise<void> {
  const mail = await findMail(table, mailId);
  if (!mail) return;
  await suppressAddress(table, mail.to.email, now.toISOString());
  await showMailState({ table }, mail.to);
}
