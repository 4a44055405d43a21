import type { Day } from '#lib/service/ground/values/day.ts';
import { mailIdOf } from '#lib/service/people/mail/mail.ts';
import { programDigest } from '#lib/service/people/mail/owner-digest.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findDigestRows } from '#lib/service/people/mail/digests-items.ts';
import { findMailing, mailWrites } from '#lib/service/people/mail/mails-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Maximum number of programs in one digest, because the size of an e-mail is limited. */
const MOST_PROGRAMS = 50;

/** Writes for the daily digest, an e-mail to the owners of a workspace about decisions that wait for them. */
export async function digestMailWrites(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  { workspaceId, day }: { readonly workspaceId: number; readonly day: Day },
): Promise<Write[]> {
  const mailing = { kind: 'owner_digest', fact: `${workspaceId} ${day}` } as const;
  // The digest of that day was already created, so this decision cannot be added to it.
  if (await findMailing(table, mailIdOf(mailing))) return [];
  const rows = await findDigestRows(table, workspaceId, day);
  const ids = [...new Set(rows.map(({ programId }) => programId))];
  const found = await Promise.all(ids.slice(0, MOST_PROGRAMS).map((id) => findProgram(table, id)));
  const programs = found
    .filter((program) => program !== undefined)
    .map(({ id, name }) => programDigest(id, name, rows));
  if (programs.length === 0) return [];
  const data = { day, programs, otherPrograms: Math.max(0, ids.length - MOST_PROGRAMS) };
  return mailWrites({ ...mailing, to: { ownersOf: workspaceId }, data, now });
}
