import type { Addressee } from '#lib/service/people/mail/mail.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { partnersOfAccount, partnersOfAddress } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';

/** Returns the partners listed under this address without an account, and the partners of this account. */
export async function partnersOfAddressee(
  table: Table,
  { email, accountId }: Addressee,
  most: number,
): Promise<Partner[]> {
  const [ofAddress, ofAccount] = await Promise.all([
    partnersOfAddress(table, email, most),
    accountId === undefined ? [] : partnersOfAccount(table, accountId, most),
  ]);
  const named = [...ofAddress, ...ofAccount];
  const found = await Promise.all(named.map(({ programId, partnerId }) => findPartner(table, programId, partnerId)));
  return found.filter((partner) => partner !== undefined);
}

/** Stores on a partner whether the partner's mails arrive, for the brand to read. */
export async function setMailState(table: Table, partner: Partner, mail: Partner['mail']): Promise<void> {
  try {
    await table.update(
      keys.partner(partner.programId, partner.id),
      { set: { mail } },
      // Fails if the brand has changed the partner's address in the meantime. Nothing is written then, because the
      // former address bounced.
      { equals: { email: partner.email } },
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
