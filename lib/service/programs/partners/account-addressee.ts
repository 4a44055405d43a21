import type { Addressee } from '#lib/service/people/mail/mail.ts';
import { hasAddress, hasConsented, type Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';

/**
 * The recipient of mails to the account that has applied or accepted as this partner. The account's own address is
 * used, because the one that the brand entered may be another person's. Undefined if there is no account, or if it is
 * being closed.
 */
export async function accountAddressee(
  { table }: Pick<Deps, 'table'>,
  partner: Partner,
): Promise<Addressee | undefined> {
  const { accountId } = partner;
  if (accountId === undefined || !hasConsented(partner) || !hasAddress(partner)) return undefined;
  const account = await findAccount(table, accountId);
  if (!account || account.closingAt !== undefined) return undefined;
  return { email: account.email, name: account.name, accountId };
}
