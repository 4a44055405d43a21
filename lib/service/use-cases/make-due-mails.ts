import type { Deps } from '#lib/service/deps.ts';
import { doneMailWrite, type DueMail, firstDueMails } from '#lib/service/store/due-mails.ts';
import { findKey, findProgram, markedKeyCheck } from '#lib/service/store/programs.ts';
import { ConditionFailed, type Write } from '#lib/service/store/writes.ts';
import { rotationMailWrites } from '#lib/service/use-cases/rotation-mail-writes.ts';

type DueDeps = Pick<Deps, 'table' | 'now' | 'log' | 'deadline'>;

const AT_ONCE = 100;

/** Makes the mails whose time has come; what is no longer so is not told. The next run does what this one does not. */
export async function makeDueMails(deps: DueDeps): Promise<void> {
  const { table, now } = deps;
  for (;;) {
    table.forget();
    const due = await firstDueMails(table, now, AT_ONCE);
    for (const one of due) {
      if (deps.deadline?.aborted) return;
      await makeDueMail(deps, one).catch((error: unknown) => {
        // Another run has made it, or the key is replaced at this moment.
        if (!(error instanceof ConditionFailed)) throw error;
      });
    }
    if (due.length < AT_ONCE) return;
  }
}

async function makeDueMail({ table, now }: DueDeps, due: DueMail): Promise<void> {
  await table.transact([doneMailWrite(due), ...(await stillTrue({ table, now }, due))]);
}

/** Writes that tell it; none when the key was replaced, marked anew or relieved of its mark, or is retired by now. */
async function stillTrue({ table, now }: Pick<DueDeps, 'table' | 'now'>, due: DueMail): Promise<Write[]> {
  const program = await findProgram(table, due.programId);
  const { rotationMarkedAt, rotationDeadline } = (program && (await findKey(table, program))) ?? {};
  if (!program || rotationMarkedAt !== due.rotationMarkedAt || rotationDeadline === undefined) return [];
  if (rotationDeadline <= now.toISOString()) return [];
  return [
    markedKeyCheck(program, rotationMarkedAt),
    ...rotationMailWrites(program, { rotationMarkedAt, rotationDeadline }, due.dueAt, now),
  ];
}
