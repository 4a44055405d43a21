import type { Day } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A mail that is scheduled for later. Times are ISO 8601. */
export type DueMail = {
  /** When the mail must be sent. */
  readonly dueAt: string;
} & (
  | {
      /** A reminder to replace a program's key. It is sent only if the key still has this rotation mark. */
      readonly kind: 'key_rotation_due';
      readonly programId: number;
      readonly rotationMarkedAt: string;
    }
  | {
      /** Partner terms that changed again on a day on which the program's partners were already notified. */
      readonly kind: 'terms_changed';
      readonly programId: number;
    }
  | {
      /**
       * A mail about changed commission terms of a program. It is sent only if the program's stored notice still
       * contains the due time of this entry.
       */
      readonly kind: 'commission_terms_changed';
      readonly programId: number;
    }
  | {
      /**
       * A payout day of a program; `dueAt` is the beginning of the day. The next payout day is scheduled together with
       * the mail of this one.
       */
      readonly kind: 'payout_due';
      readonly programId: number;
    }
  | {
      /** What the owners of a workspace must decide, collected over one day. */
      readonly kind: 'owner_digest';
      readonly workspaceId: number;
      readonly day: Day;
    }
);

const keyOf = (due: DueMail) =>
  keys.dueMail(due.dueAt, `${due.kind}#${due.kind === 'owner_digest' ? due.workspaceId : due.programId}`);

/**
 * The write that schedules a mail. The key contains only due time, kind and program: a reminder for a newer rotation
 * mark replaces one for a former mark that is due at the same time.
 */
export const dueMailWrite = (due: DueMail): Write => ({ name: 'dueMail', key: keyOf(due), put: due });

/** Schedules a mail if it is not scheduled yet; safe to repeat. */
export async function scheduleDueMail(table: Table, due: DueMail): Promise<void> {
  if (!(await isScheduled(table, due))) await table.put(keyOf(due), due);
}

/** Whether a mail is already scheduled. It usually is, and this read costs half as much as a write. */
export const isScheduled = async (table: Table, due: DueMail): Promise<boolean> =>
  (await table.get(keyOf(due))) !== undefined;

export const doneMailWrite = (due: DueMail): Write => ({
  name: 'dueMail',
  key: keyOf(due),
  remove: true,
  // Fails if another run has written the mail first, or if the entry now belongs to another rotation mark. Then this
  // run writes nothing.
  condition:
    due.kind === 'key_rotation_due' ? { equals: { rotationMarkedAt: due.rotationMarkedAt } } : { exists: true },
});

/** The first entries that are due at this time. */
export const firstDueMails = async (table: Table, now: Date, most: number): Promise<DueMail[]> => {
  const found = await table.query<DueMail>(keys.dueMail('', '').pk, { most });
  return found.filter(({ dueAt }) => dueAt <= now.toISOString());
};
