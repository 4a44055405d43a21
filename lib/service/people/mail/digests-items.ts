import type { Day } from '#lib/service/ground/values/day.ts';
import { type DigestRow, digestTime } from '#lib/service/people/mail/owner-digest.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** For how long the rows of a digest are stored. It is some days longer than needed, in case a digest is late. */
const KEPT_SECONDS = 5 * 86_400;

/**
 * Identifies a row within the digest of a day. It is the same if the stream repeats an event, so that a decision is
 * listed once.
 */
interface Place {
  readonly workspaceId: number;
  readonly day: Day;
  /** Id of what the row is about, within its program. */
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

/** How many rows are read at most for one digest, because there may be very many applications or commissions. */
const MOST_ROWS = 20_000;

/** The rows of a day's digest. */
export const findDigestRows = (table: Table, workspaceId: number, day: Day): Promise<DigestRow[]> =>
  table.query<DigestRow>(keys.digestRow(workspaceId, day, '').pk, { most: MOST_ROWS });

/** The entry that schedules a workspace's digest of a day. */
export const dueDigest = (workspaceId: number, day: Day) =>
  ({ kind: 'owner_digest', dueAt: digestTime(day), workspaceId, day }) as const;
