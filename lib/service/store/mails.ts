import { isAudience, type Mail, type MailFact, mailIdOf } from '#lib/domain/mail.ts';
import { indexKeys, keys } from '#lib/service/store/keys.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** How long a mail is kept, sent or not. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** A mail as it is stored. Times are ISO 8601. */
export type StoredMail = Mail & {
  readonly id: string;
  /** The fact's own. */
  readonly createdAt: string;
  readonly status: 'waiting';
};

/** A fact for several people; its mails are made in steps. */
export type Mailing = MailFact & {
  readonly id: string;
  readonly createdAt: string;
  readonly status: 'waiting' | 'made';
  /** The last of its people who has a mail, in their own order. */
  readonly after?: string;
};

/** Writes that leave the mails of a fact with the transaction that makes it one: both happen, or neither. */
export const mailWrites = ({ now, ...told }: MailFact & { readonly now: Date }): Write[] => [
  isAudience(told.to) ? mailingWrite(told, now) : mailWrite(told as MailFact & Mail, now),
];

const mailingWrite = (told: MailFact, now: Date): Write => {
  const id = mailIdOf(told);
  return { name: 'mailing', key: keys.mailing(id), put: { ...told, ...stored(id, now) }, condition: { isNew: true } };
};

/** One mail of a fact. */
export function mailWrite({ kind, fact, to, data }: Mail & Pick<MailFact, 'fact'>, now: Date): Write {
  const { email, name, accountId } = to;
  const id = mailIdOf({ kind, fact }, email);
  const item = { kind, to: { email, name, accountId }, data, ...stored(id, now) };
  return {
    name: `mail ${id}`,
    key: keys.mail(id),
    put: { ...item, ...indexKeys.unsentMail(item.createdAt, id) },
    // The fact is written once, and its mail with it.
    condition: { isNew: true },
  };
}

const stored = (id: string, now: Date) => ({
  id,
  status: 'waiting' as const,
  createdAt: now.toISOString(),
  expires_at: Math.ceil((now.getTime() + KEPT_DAYS * DAY_MS) / 1000),
});
