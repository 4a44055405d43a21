import { DAY_MS } from '#lib/service/ground/values/day.ts';
import type { Commission } from '#lib/service/earnings/commissions/commission.ts';
import { digestDayOf } from '#lib/service/people/mail/owner-digest.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { dueDigest, putDigestRow } from '#lib/service/people/mail/digests-items.ts';
import { scheduleDueMail } from '#lib/service/people/mail/due-mails-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';

/**
 * If a commission was held longer ago than this, the owners get no mail. The stream keeps records only for a day, so
 * such a record comes from a restore or from demo data.
 */
const LONGEST_HELD_MS = 2 * DAY_MS;

/**
 * Adds a commission that a rule holds for review to the owners' daily digest. It makes two writes without a
 * transaction: both may be repeated, and the stream delivers a record again until both have succeeded.
 */
export async function queueHeldMail(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { id, programId, heldAt }: Commission,
): Promise<void> {
  const heldFor = heldAt === undefined ? Infinity : now.getTime() - Date.parse(heldAt);
  if (heldFor > LONGEST_HELD_MS) return;
  const program = await findProgram(table, programId);
  if (!program) return;
  const { workspaceId } = program;
  const day = digestDayOf(new Date(heldAt!), now);
  await scheduleDueMail(table, dueDigest(workspaceId, day));
  await putDigestRow(table, { workspaceId, day, id: String(id) }, { programId, of: 'held' });
}
