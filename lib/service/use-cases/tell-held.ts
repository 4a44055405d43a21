import { DAY_MS } from '#lib/domain/attribution-window.ts';
import type { Commission } from '#lib/domain/commission.ts';
import { dayOf } from '#lib/domain/day.ts';
import { mailIdOf } from '#lib/domain/mail.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findMailing, mailWrites } from '#lib/service/store/mails.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { ConditionFailed } from '#lib/service/store/writes.ts';

/** The table's stream keeps a record for a day. What a restore or a demo writes may be older: it is no news. */
const NEWS_MS = 2 * DAY_MS;

/**
 * Leaves a mail that tells the owners of a program that commissions wait for them: one for each day, in UTC, on which a
 * rule holds some. It may be repeated.
 */
export async function tellHeld(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { programId, heldAt }: Commission,
): Promise<void> {
  const heldFor = heldAt === undefined ? Infinity : now.getTime() - Date.parse(heldAt);
  if (heldFor > NEWS_MS) return;
  const kind = 'commissions_held';
  const fact = `${programId} ${dayOf(new Date(heldAt!))}`;
  // Most of a day's held commissions find it told: a read costs half of a condition that fails.
  if (await findMailing(table, mailIdOf({ kind, fact }))) return;
  const program = await findProgram(table, programId);
  if (!program) return;
  const { name: programName, workspaceId } = program;
  const told = { kind, fact, to: { ownersOf: workspaceId }, data: { programId, programName }, now } as const;
  try {
    await table.transact(mailWrites(told));
  } catch (error) {
    // Of several at once, the first has told it.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
