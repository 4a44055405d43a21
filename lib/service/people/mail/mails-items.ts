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
import { itemOfImage } from '#lib/service/ground/table/stream-image.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Entry } from '#lib/service/ground/table/listed.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

const DAY_SECONDS = 86_400;
/** How long a mail item is kept, whether the mail was sent or not. */
const KEPT_DAYS = 30;
/** How long the unsubscribe link in a mail works. */
const REFUSABLE_DAYS = 400;

/**
 * The final states of a mail, in this order: accepted by SES, rejected by SES, not sent because the person
 * unsubscribed, not sent because of a former bounce or complaint, given up after several attempts, given up because it
 * is too late.
 */
type MailEnd = 'sent' | 'rejected' | 'refused' | 'suppressed' | 'failed' | 'late';

/** A mail as stored. Times are ISO 8601. */
export type StoredMail = Mail & {
  readonly id: string;
  /** When the event happened that the mail reports. */
  readonly createdAt: string;
  readonly status: 'waiting' | 'sending' | MailEnd;
  /** How many attempts to send the mail have an unknown outcome, including the current one. */
  readonly attempts?: number;
  /** When a run first noticed that the current attempt may have been interrupted. */
  readonly noticedAt?: string;
  /** Set for a mail that waits because SES is throttling: it may be sent again after this time. */
  readonly notBefore?: string;
};

/** A fact that concerns a group of recipients. Its mails are created in steps. */
export type Mailing = Extract<MailFact, { readonly to: Audience }> & {
  readonly id: string;
  readonly createdAt: string;
  readonly status: 'waiting' | 'made' | 'failed';
  /** The last recipient whose mail has been created, in the group's order. */
  readonly after?: string;
};

/** Writes that queue the mails of a fact in the same transaction as the fact itself. */
export const mailWrites = ({ now, ...told }: MailFact & { readonly now: Date }): Write[] => [
  isAudience(told.to) ? mailingWrite(told, now) : mailWrite({ ...told, now } as NewMail),
];

function mailingWrite(told: MailFact, now: Date): Write {
  const id = mailIdOf(told);
  return { name: 'mailing', key: keys.mailing(id), put: { ...told, ...fresh(id, now) }, condition: { isNew: true } };
}

export type NewMail = Mail & { readonly fact: string; readonly now: Date };

/** The name of the write. If its condition fails, the name shows which mail it was. */
export const mailWriteName = ({ kind, fact, to }: NewMail): string => `mail ${mailIdOf({ kind, fact }, to.email)}`;

export function mailWrite(mail: NewMail): Write {
  const { kind, fact, to, data, now } = mail;
  const { email, name, accountId } = to;
  const id = mailIdOf({ kind, fact }, email);
  return {
    name: mailWriteName(mail),
    key: keys.mail(id),
    put: { kind, to: { email, name, accountId }, data, ...fresh(id, now) },
    // Fails if the mail exists already: each address gets only one mail about a fact.
    condition: { isNew: true },
  };
}

/** Whether there is already a mail about this fact to this address, sent or not. */
export const isMailQueued = async (
  table: Table,
  told: Pick<MailFact, 'kind' | 'fact'>,
  email: string,
): Promise<boolean> => (await table.get(keys.mail(mailIdOf(told, email)))) !== undefined;

/** Whether this fact already has a mailing, which is for a group of recipients. */
export const isMailingQueued = async (table: Table, told: Pick<MailFact, 'kind' | 'fact'>): Promise<boolean> =>
  (await table.get(keys.mailing(mailIdOf(told)))) !== undefined;

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
 * The waiting mail or mailing in a stream record; undefined for any other record. A mail that waits again after a
 * failed attempt is skipped here; otherwise each attempt would cause the next one immediately. The next attempt is made
 * when the mail's first record is delivered again, or by the schedule.
 */
export function waitingIn({ eventName, dynamodb }: DynamoDBRecord): Unsent | undefined {
  const { status, sk } = dynamodb?.NewImage ?? {};
  if (status?.S !== 'waiting' || !['MAIL', 'MAILING'].includes(sk?.S ?? '')) return undefined;
  const unsent = asUnsent(itemOfImage(dynamodb!.NewImage!));
  return 'mail' in unsent && eventName === 'MODIFY' ? undefined : unsent;
}

/** The index key under which all unsent mails and mailings are listed, oldest first. */
export const unsentList = indexKeys.unsentMail('', '').gsi1pk;

/** Reads from a position in that list when the mail was created. */
export const createdAtOf = ({ position }: Entry): string => position.split('#', 1)[0]!;

export async function findUnsent(table: Table, { pk, sk }: Key): Promise<Unsent | undefined> {
  const item = await table.get<Key>({ pk, sk });
  return item && asUnsent(item);
}

export const findMail = (table: Table, id: string): Promise<StoredMail | undefined> =>
  table.get<StoredMail>(keys.mail(id));

export const findMailing = (table: Table, id: string): Promise<Mailing | undefined> =>
  table.get<Mailing>(keys.mailing(id));

/**
 * Marks a mail as being sent by this run; undefined if another run is sending it.
 * @param refusal stores the mail's unsubscribe link
 */
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
      // Fails if another run is sending the mail or has finished it. Only that run sends it.
      condition: { equals: { status, attempts, noticedAt } },
    },
    ...(refusal ? [refusalWrite(refusal, to, now)] : []),
  ];
  return undefinedIfLost(() => table.transact(writes), { ...mail, ...claimed });
}

/** An unsubscribe link, identified by the hash of its token. */
interface Refusal {
  readonly hash: string;
  /** The workspace that the recipient can block; undefined if there is none. */
  readonly senderId?: number;
}

const refusalWrite = ({ hash, senderId }: Refusal, { email, accountId }: Addressee, now: Date): Write => ({
  name: 'refusal',
  key: keys.mailRefusal(hash),
  put: { email, accountId, senderId, expires_at: expiry(now, REFUSABLE_DAYS) },
});

/** The address to which an unsubscribe link belongs, and the workspace that the recipient can block with it. */
export const findRefusable = (
  table: Table,
  hash: string,
): Promise<(Addressee & Pick<Refusal, 'senderId'>) | undefined> => table.get(keys.mailRefusal(hash));

/**
 * The condition that this run is still the one that is sending the mail. If another run has taken over, that run
 * finishes the mail, and this write is not made.
 */
const asClaimed = ({ status, attempts }: StoredMail): Condition => ({ equals: { status, attempts } });

export const endMail = (table: Table, mail: StoredMail, status: MailEnd, now: Date): Promise<unknown> =>
  change(table, mail, { status, endedAt: now.toISOString(), gsi1pk: undefined, gsi1sk: undefined });

/**
 * Puts a mail back into the queue if it is certain that it was not sent.
 * @param notBefore when it may be sent again; undefined means immediately
 */
export const releaseMail = (table: Table, mail: StoredMail, notBefore?: Date): Promise<unknown> =>
  change(table, mail, {
    status: 'waiting',
    attempts: mail.attempts! - 1 || undefined,
    notBefore: notBefore?.toISOString(),
  });

/** Records that an attempt seems to have been interrupted, because it was found unfinished. */
export const noticeAttempt = (table: Table, mail: StoredMail, now: Date): Promise<unknown> =>
  change(table, mail, { noticedAt: now.toISOString() });

const change = (table: Table, mail: StoredMail, set: object): Promise<unknown> =>
  undefinedIfLost(() => table.update(keys.mail(mail.id), { set: { ...set } }, asClaimed(mail)), true);

async function undefinedIfLost<T>(write: () => Promise<unknown>, result: T): Promise<T | undefined> {
  try {
    await write();
    return result;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** The write that stores how far a mailing's e-mails are created. Fails if another run has made the same step. */
export const mailingStepWrite = (before: Mailing, after: string | undefined, isLast: boolean): Write => ({
  name: 'mailing',
  key: keys.mailing(before.id),
  change: { set: isLast ? { ...endOfMailing, status: 'made' } : { after } },
  condition: { equals: { status: before.status, after: before.after } },
});

const endOfMailing = { after: undefined, gsi1pk: undefined, gsi1sk: undefined };

/** Marks a mailing as failed, because its mails cannot be created. */
export const failMailing = (table: Table, { id }: Mailing): Promise<unknown> =>
  table.update(keys.mailing(id), { set: { ...endOfMailing, status: 'failed' } }, { exists: true });
