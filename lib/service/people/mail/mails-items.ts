import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import {
  type Addressee,
  type Audience,
  isAudience,
  type Mail,
  type MailFact,
  mailIdOf,
} from '#lib/service/people/mail/mail.ts';
import type { Condition } from '#lib/service/ground/table/expressions.ts';
import { indexKeys, type Key, keys } from '#lib/service/ground/table/keys.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';
import type { Entry, Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

const DAY_SECONDS = 86_400;
/** How long a mail is kept, sent or not. */
const KEPT_DAYS = 30;
/** How long the link in a mail refuses further ones. */
const REFUSABLE_DAYS = 400;

/** How a mail ends: taken by SES, refused by SES, not wanted by its person, not sent to a bad address, or given up. */
type MailEnd = 'sent' | 'rejected' | 'refused' | 'suppressed' | 'failed' | 'late';

/** A mail as it is stored. Times are ISO 8601. */
export type StoredMail = Mail & {
  readonly id: string;
  /** The fact's own. */
  readonly createdAt: string;
  readonly status: 'waiting' | 'sending' | MailEnd;
  /** Attempts of which it is not known what became of them, the present one included. */
  readonly attempts?: number;
  /** When the present attempt was first noticed as one that may have been broken off. */
  readonly noticedAt?: string;
  /** Of a mail that waits: SES takes none of this sender before. */
  readonly notBefore?: string;
};

/** A fact for several people; its mails are made in steps. */
export type Mailing = Extract<MailFact, { readonly to: Audience }> & {
  readonly id: string;
  readonly createdAt: string;
  readonly status: 'waiting' | 'made' | 'failed';
  /** The last of its people who has a mail, in their own order. */
  readonly after?: string;
};

/** Writes that leave the mails of a fact with the transaction that makes it one: both happen, or neither. */
export const mailWrites = ({ now, ...told }: MailFact & { readonly now: Date }): Write[] => [
  isAudience(told.to) ? mailingWrite(told, now) : mailWrite({ ...told, now } as NewMail),
];

function mailingWrite(told: MailFact, now: Date): Write {
  const id = mailIdOf(told);
  return { name: 'mailing', key: keys.mailing(id), put: { ...told, ...fresh(id, now) }, condition: { isNew: true } };
}

export type NewMail = Mail & { readonly fact: string; readonly now: Date };

/** Identifies the mail of a failed condition. */
export const mailWriteName = ({ kind, fact, to }: NewMail): string => `mail ${mailIdOf({ kind, fact }, to.email)}`;

export function mailWrite(mail: NewMail): Write {
  const { kind, fact, to, data, now } = mail;
  const { email, name, accountId } = to;
  const id = mailIdOf({ kind, fact }, email);
  return {
    name: mailWriteName(mail),
    key: keys.mail(id),
    put: { kind, to: { email, name, accountId }, data, ...fresh(id, now) },
    // The fact is written once, and its mail with it.
    condition: { isNew: true },
  };
}

/** Whether a fact has a mail to this address already, sent or not. */
export const isTold = async (table: Table, told: Pick<MailFact, 'kind' | 'fact'>, email: string): Promise<boolean> =>
  (await table.get(keys.mail(mailIdOf(told, email)))) !== undefined;

const expiry = (now: Date, days: number): number => Math.ceil(now.getTime() / 1_000) + days * DAY_SECONDS;

function fresh(id: string, now: Date) {
  const createdAt = now.toISOString();
  const listed = indexKeys.unsentMail(createdAt, id);
  return { id, status: 'waiting', createdAt, ...listed, expires_at: expiry(now, KEPT_DAYS) } as const;
}

type Unsent = { readonly mail: StoredMail } | { readonly mailing: Mailing };

const asUnsent = (item: Key): Unsent =>
  item.sk === 'MAILING' ? { mailing: item as Key & Mailing } : { mail: item as Key & StoredMail };

/**
 * What a record of the table's stream leaves to be done: nothing once it is no longer waiting. A mail that waits again was
 * begun before, and would be begun without end: its first record is delivered again, or the schedule takes it up.
 */
export function waitingIn({ eventName, dynamodb }: DynamoDBRecord): Unsent | undefined {
  const { status, sk } = dynamodb?.NewImage ?? {};
  if (status?.S !== 'waiting' || !['MAIL', 'MAILING'].includes(sk?.S ?? '')) return undefined;
  const unsent = asUnsent(unmarshall(dynamodb!.NewImage as Parameters<typeof unmarshall>[0], numberReading) as Key);
  return 'mail' in unsent && eventName === 'MODIFY' ? undefined : unsent;
}

/** The key of the index under which all unsent mails and mailings are listed, oldest first. */
export const unsentList = indexKeys.unsentMail('', '').gsi1pk;

/** When a mail of that list was created. */
export const createdAtOf = ({ position }: Entry): string => position.split('#', 1)[0]!;

export async function findUnsent(table: Table, { pk, sk }: Key): Promise<Unsent | undefined> {
  const item = await table.get<Key>({ pk, sk });
  return item && asUnsent(item);
}

export const findMail = (table: Table, id: string): Promise<StoredMail | undefined> =>
  table.get<StoredMail>(keys.mail(id));

export const findMailing = (table: Table, id: string): Promise<Mailing | undefined> =>
  table.get<Mailing>(keys.mailing(id));

/** A mail that this attempt may send. @param refusal by which its person may refuse further ones */
export async function claimMail(
  table: Table,
  mail: StoredMail,
  now: Date,
  refusal?: Refusal,
): Promise<StoredMail | undefined> {
  const { status, attempts, noticedAt, to } = mail;
  const claimed = {
    status: 'sending',
    attempts: (attempts ?? 0) + 1,
    noticedAt: undefined,
    notBefore: undefined,
  } as const;
  const writes: Write[] = [
    {
      name: 'mail',
      key: keys.mail(mail.id),
      change: { set: claimed },
      // Another run has the mail, or has ended it: that one alone sends it.
      condition: { equals: { status, attempts, noticedAt } },
    },
    ...(refusal ? [refusalWrite(refusal, to, now)] : []),
  ];
  return unlessLost(() => table.transact(writes), { ...mail, ...claimed });
}

/** What the holder of a token may do with it. */
interface Refusal {
  readonly hash: string;
  /** The workspace that may be blocked; absent: none. */
  readonly senderId?: number;
}

const refusalWrite = ({ hash, senderId }: Refusal, { email, accountId }: Addressee, now: Date): Write => ({
  name: 'refusal',
  key: keys.mailRefusal(hash),
  put: { email, accountId, senderId, expires_at: expiry(now, REFUSABLE_DAYS) },
});

/** Whose mails the holder of a link may refuse, and those of which workspace it may block. */
export const findRefusable = (
  table: Table,
  hash: string,
): Promise<(Addressee & Pick<Refusal, 'senderId'>) | undefined> => table.get(keys.mailRefusal(hash));

/** Whoever took the mail over meanwhile ends it. */
const asClaimed = ({ status, attempts }: StoredMail): Condition => ({ equals: { status, attempts } });

export const endMail = (table: Table, mail: StoredMail, status: MailEnd, now: Date): Promise<unknown> =>
  change(table, mail, { status, endedAt: now.toISOString(), gsi1pk: undefined, gsi1sk: undefined });

/** The claimed mail was not sent for certain; it waits as it did before. @param notBefore absent: it may be tried again at once */
export const releaseMail = (table: Table, mail: StoredMail, notBefore?: Date): Promise<unknown> =>
  change(table, mail, {
    status: 'waiting',
    attempts: mail.attempts! - 1 || undefined,
    notBefore: notBefore?.toISOString(),
  });

/** Notices that an attempt does not end. */
export const noticeAttempt = (table: Table, mail: StoredMail, now: Date): Promise<unknown> =>
  change(table, mail, { noticedAt: now.toISOString() });

const change = (table: Table, mail: StoredMail, set: object): Promise<unknown> =>
  unlessLost(() => table.update(keys.mail(mail.id), { set: { ...set } }, asClaimed(mail)), true);

async function unlessLost<T>(write: () => Promise<unknown>, result: T): Promise<T | undefined> {
  try {
    await write();
    return result;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** A write that moves a mailing on. Of two runs one takes a step; the other leaves it to that one. */
export const mailingStepWrite = (before: Mailing, after: string | undefined, isLast: boolean): Write => ({
  name: 'mailing',
  key: keys.mailing(before.id),
  change: { set: isLast ? { ...endOfMailing, status: 'made' } : { after } },
  condition: { equals: { status: before.status, after: before.after } },
});

const endOfMailing = { after: undefined, gsi1pk: undefined, gsi1sk: undefined };

/** Gives up a mailing that cannot be made. */
export const failMailing = (table: Table, { id }: Mailing): Promise<unknown> =>
  table.update(keys.mailing(id), { set: { ...endOfMailing, status: 'failed' } }, { exists: true });
