import type { Day } from '#lib/service/ground/values/day.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** What is told at a later time. Times are ISO 8601. */
export type DueMail = {
  /** When it has to be told. */
  readonly dueAt: string;
} & (
  | {
      /** That a program's key has to be replaced, as long as it has this mark. */
      readonly kind: 'key_rotation_due';
      readonly programId: number;
      readonly rotationMarkedAt: string;
    }
  | {
      /** That a program has changed the terms for its partners once more on a day on which they were told. */
      readonly kind: 'terms_changed';
      readonly programId: number;
    }
  | {
      /** What a day has left for the owners of a workspace to decide. */
      readonly kind: 'owner_digest';
      readonly workspaceId: number;
      readonly day: Day;
    }
);

const keyOf = (due: DueMail) =>
  keys.dueMail(due.dueAt, `${due.kind}#${due.kind === 'owner_digest' ? due.workspaceId : due.programId}`);

/** A later mark with the same time takes the place of the former. */
export const dueMailWrite = (due: DueMail): Write => ({ name: 'dueMail', key: keyOf(due), put: due });

/** Leaves a mail to be made where it is not left yet. It may be repeated. */
export async function leaveDueMail(table: Table, due: DueMail): Promise<void> {
  if (!(await isLeft(table, due))) await table.put(keyOf(due), due);
}

/** Whether a mail is left to be made: most things of a day find it so, and a read costs half of a write. */
export const isLeft = async (table: Table, due: DueMail): Promise<boolean> =>
  (await table.get(keyOf(due))) !== undefined;

export const doneMailWrite = (due: DueMail): Write => ({
  name: 'dueMail',
  key: keyOf(due),
  remove: true,
  // Another run has told it, or it is about another mark now.
  condition:
    due.kind === 'key_rotation_due' ? { equals: { rotationMarkedAt: due.rotationMarkedAt } } : { exists: true },
});

/** The first that are due by this time. */
export const firstDueMails = async (table: Table, now: Date, most: number): Promise<DueMail[]> => {
  const found = await table.query<DueMail>(keys.dueMail('', '').pk, { most });
  return found.filter(({ dueAt }) => dueAt <= now.toISOString());
};
