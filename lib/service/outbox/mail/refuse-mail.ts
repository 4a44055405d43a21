import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { refusalLinkUnknown } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccountByEmail } from '#lib/service/people/accounts/accounts-items.ts';
import { findRefusable } from '#lib/service/people/mail/mails-items.ts';
import { setMailPreference } from '#lib/service/programs/partners/set-mail-preference.ts';

/**
 * Unsubscribes the recipient of the mail that contains the link.
 * @throws Refusal if no mail contains this link, or if the link has expired
 */
export async function refuseMail(deps: Pick<Deps, 'table' | 'now'>, token: string): Promise<void> {
  const person = await findRefusable(deps.table, sha256(token));
  if (!person) throw refusalLinkUnknown();
  const accountId = person.accountId ?? (await findAccountByEmail(deps.table, person.email))?.accountId;
  await setMailPreference(deps, { email: person.email, accountId }, false);
}
