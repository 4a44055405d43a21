import { rotationReminders } from '#lib/service/programs/keys/key-rotation.ts';
import { programNotFound } from '#lib/service/ground/values/refusals.ts';
import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { dueMailWrite } from '#lib/service/people/mail/due-mails-items.ts';
import { findKey, findProgram, markedKeyWrite } from '#lib/service/programs/program/programs-items.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { rotationMailWrites } from '#lib/service/programs/keys/rotation-mail-writes.ts';

/**
 * Marks a program's key for mandatory rotation, and mails its owners now and before the deadline. A deadline in the
 * past retires the key at once.
 * @throws Refusal when there is no such program
 */
export const markKeyForRotation = (deps: OperatorDeps, programId: number, deadline: Date) =>
  retryOnConflict(deps, async () => {
    const program = await findProgram(deps.table, programId);
    if (!program) throw programNotFound();
    const rotationMarkedAt = deps.now.toISOString();
    const mark = { rotationMarkedAt, rotationDeadline: deadline.toISOString() };
    const key = await findKey(deps.table, program);
    // The key is marked already: the operator has repeated the command. Only the mails are queued again.
    if (key?.rotationMarkedAt === rotationMarkedAt && key.rotationDeadline === mark.rotationDeadline) return mark;
    const reminders = rotationReminders(deps.now, deadline).map((at) =>
      dueMailWrite({ dueAt: at.toISOString(), kind: 'key_rotation_due', programId, rotationMarkedAt }),
    );
    await deps.table.transact([
      markedKeyWrite(program, mark),
      ...rotationMailWrites(program, mark, rotationMarkedAt, deps.now),
      ...reminders,
    ]);
    return mark;
  });
