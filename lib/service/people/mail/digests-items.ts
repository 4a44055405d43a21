import type { Day } from '#lib/service/ground/values/day.ts';
import { type DigestRow, digestTime } from '#lib/service/people/mail/owner-digest.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Rows are kept for some days longer than needed, in case a digest is late. */
const KEPT_SECONDS = 5 * 86_400;

/** The key of a row within its day. It is the same for a repeated event, so its subject is listed once. */
interface Place {
  readonly workspaceId: number;
  readonly day: Day;
  /** Id of the row's subject within its program. */
  readonly id: string;
}

const keyOf = ({ workspaceId, day, id }: Place, { programId, of }: DigestRow) =>
  keys.digestRow(workspaceId, day, `${programId}#${of}#${id}`);

const itemOf = ({ day }: Place, row: DigestRow) => ({ ...row, expires_at: Date.parse(day) / 1_000 + KEPT_SECONDS });

export const digestRowWrite = (place: Place, row: DigestRow): Write => ({
  name: 'digestRow',
  key: keyOf(place, row),
  put: itemOf(place, row),
});

/** Stores a row of a digest. Repeating it changes nothing. */
export const putDigestRow = (table: Table, place: Place, row: DigestRow): Promise<void> =>
  table.put(keyOf(place, row), itemOf(place, row));

/** Limit of rows read for one digest, because a flood of applications or commissions can raise their number. */
const MOST_ROWS = 20_000;

/** The contents of a day's digest. */
export const findDigestRows = (table: Table, workspaceId: number, day: Day): Promise<DigestRow[]> =>
  table.query<DigestRow>(keys.digestRow(workspaceId, day, '').pk, { most: MOST_ROWS });

/** The entry that schedules a workspace's digest of a day. */
export const dueDigest = (workspaceId: number, day: Day) =>
  ({ kind: 'owner_digest', dueAt: digestTime(day), workspaceId, day }) as const;
