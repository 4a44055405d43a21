import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Addressee } from '#lib/service/people/mail/mail.ts';
import { indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { everyListed } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** Reasons why an address gets no mails. An address without such a reason has no item. Times are ISO 8601. */
export interface MailAddress {
  /** When the person unsubscribed from mails to partners. */
  readonly refusedAt?: string;
  /** When a mail to the address bounced permanently, or the person reported a mail as spam. */
  readonly suppressedAt?: string;
}

export const findMailAddress = (table: Table, email: string): Promise<MailAddress | undefined> =>
  table.get<MailAddress>(keys.mailAddress(email));

/** Blocks further mails to an address. If the address is already blocked, the time of the first block stays. */
export async function suppressAddress(table: Table, email: string, suppressedAt: string): Promise<void> {
  const set = { suppressedAt, ...indexKeys.suppressedAddress(suppressedAt, email) };
  try {
    await table.update(keys.mailAddress(email), { set }, { equals: { suppressedAt: undefined } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

export interface SuppressedAddress {
  readonly email: string;
  readonly suppressedAt: string;
}

/** All blocked addresses, earliest first. */
export async function suppressedAddresses(table: Table): Promise<SuppressedAddress[]> {
  const found = await everyListed<MailAddress & Key>(table, indexKeys.suppressedAddress('', '').gsi1pk);
  // The index is eventually consistent. It may still list an address that was just unblocked, which is left out.
  return found.flatMap(({ pk, suppressedAt }) =>
    suppressedAt === undefined ? [] : [{ email: pk.slice(keys.mailAddress('').pk.length), suppressedAt }],
  );
}

/**
 * Unblocks an address after a bounce or complaint. If the person has unsubscribed, this stays in effect.
 * @returns whether it was blocked
 */
export async function liftSuppression(table: Table, email: string): Promise<boolean> {
  const set = { suppressedAt: undefined, gsi1pk: undefined, gsi1sk: undefined };
  try {
    await table.update(keys.mailAddress(email), { set }, { exists: true });
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

/**
 * Writes that record whether a person wants mails as a partner. They record it for the address and for the account,
 * because the account's address may change.
 */
export const mailPreferenceWrites = ({ email, accountId }: Addressee, wantsMail: boolean, now: Date): Write[] => [
  {
    name: 'mailAddress',
    key: keys.mailAddress(email),
    change: { set: { refusedAt: wantsMail ? undefined : now.toISOString() } },
  },
  ...(accountId === undefined
    ? []
    : [
        {
          name: 'account',
          key: keys.account(accountId),
          change: { set: { refusesMail: wantsMail ? undefined : true } satisfies Pick<Account, 'refusesMail'> },
          condition: { exists: true },
        } as const,
      ]),
];
