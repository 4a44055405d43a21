import type { Account } from '#lib/domain/account.ts';
import type { Addressee } from '#lib/domain/mail.ts';
import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** What is known of an address: absent when it takes mails. Times are ISO 8601. */
export interface MailAddress {
  /** Wants no mails as a partner. */
  readonly refusedAt?: string;
  /** It returned a mail for good, or called one unwanted. */
  readonly suppressedAt?: string;
}

export const findMailAddress = (table: Table, email: string): Promise<MailAddress | undefined> =>
  table.get<MailAddress>(keys.mailAddress(email));

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
