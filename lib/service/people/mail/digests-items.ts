import type { Day } from '#lib/service/ground/values/day.ts';
import { type DigestRow, digestTime } from '#lib/service/people/mail/owner-digest.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Rows are kept for some days more than it takes to tell them, for a digest that is late. */
const KEPT_SECONDS = 5 * 86_400;

/** Where a row of a day is; the same thing has the same place. */
interface Place {
  readonly workspaceId: number;
  readonly day: Day;
  /** What the row is about, within its program. */
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

/** It may be repeated. */
export const putDigestRow = (table: Table, place: Place, row: DigestRow): Promise<void> =>
  table.put(keyOf(place, row), itemOf(place, row));

/** Rows that are read for one digest. Their number is that of people and commissions, which a flood can raise. */
const MOST_ROWS = 20_000;

/** What a digest of a day has to tell. */
export const findDigestRows = (table: Table, workspaceId: number, day: Day): Promise<DigestRow[]> =>
  table.query<DigestRow>(keys.digestRow(workspaceId, day, '').pk, { most: MOST_ROWS });

/** That a digest has to be made. */
export const dueDigest = (workspaceId: number, day: Day) =>
  ({ kind: 'owner_digest', dueAt: digestTime(day), workspaceId, day }) as const;
