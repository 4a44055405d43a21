import { keys } from '#lib/service/store/keys.ts';
import type { Table } from '#lib/service/store/table.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** That a program's key has to be replaced, as long as it has this mark. Times are ISO 8601. */
export interface DueMail {
  /** When it has to be told. */
  readonly dueAt: string;
  readonly kind: 'key_rotation_due';
  readonly programId: number;
  readonly rotationMarkedAt: string;
}

const keyOf = ({ dueAt, kind, programId }: DueMail) => keys.dueMail(dueAt, `${kind}#${programId}`);

/** A later mark with the same time takes the place of the former. */
export const dueMailWrite = (due: DueMail): Write => ({ name: 'dueMail', key: keyOf(due), put: due });

export const doneMailWrite = (due: DueMail): Write => ({
  name: 'dueMail',
  key: keyOf(due),
  remove: true,
  // Another run has told it, or it is about another mark now.
  condition: { equals: { rotationMarkedAt: due.rotationMarkedAt } },
});

/** The first that are due by this time. */
export const firstDueMails = async (table: Table, now: Date, most: number): Promise<DueMail[]> => {
  const found = await table.query<DueMail>(keys.dueMail('', '').pk, { most });
  return found.filter(({ dueAt }) => dueAt <= now.toISOString());
};
