import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Addressee } from '#lib/service/people/mail/mail.ts';
import { indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { everyListed } from '#lib/service/ground/table/pages.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

/** What is known of an address: absent when it takes mails. Times are ISO 8601. */
export interface MailAddress {
  /** Wants no mails as a partner. */
  readonly refusedAt?: string;
  /** It returned a mail for good, or called one unwanted. */
  readonly suppressedAt?: string;
}

export const findMailAddress = (table: Table, email: string): Promise<MailAddress | undefined> =>
  table.get<MailAddress>(keys.mailAddress(email));

/** Notes that an address gets no further mails. The first time stays. */
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

/** Every address that gets no mails, the first one first. */
export async function suppressedAddresses(table: Table): Promise<SuppressedAddress[]> {
  const found = await everyListed<MailAddress & Key>(table, indexKeys.suppressedAddress('', '').gsi1pk);
  // The list may still have one that was lifted a moment ago.
  return found.flatMap(({ pk, suppressedAt }) =>
    suppressedAt === undefined ? [] : [{ email: pk.slice(keys.mailAddress('').pk.length), suppressedAt }],
  );
}

/** Lets mails go to an address again. What its person refuses stays refused. @returns whether it was suppressed */
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

/** Writes that note whether somebody wants mails as a partner: for the address, and for the account, which may get another. */
export const mailWishWrites = ({ email, accountId }: Addressee, wantsMail: boolean, now: Date): Write[] => [
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
