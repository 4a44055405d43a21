import { isDeepStrictEqual } from 'node:util';
import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';
import { originPatterns } from '#lib/service/ground/addresses/origin.ts';
import { factsBegunAt, type Program } from '#lib/service/programs/program/program.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { pageOf, pagesOf } from '#lib/service/ground/table/pages.ts';
import { indexKeys, keys, programIdOf } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';

export const findProgram = (table: Table, programId: number): Promise<Program | undefined> =>
  table.get<Program>(keys.program(programId));

/** The program for a click. It is read from a cache, so a change of the program may take effect a moment later. */
export const findRecentProgram = (table: Table, programId: number): Promise<Program | undefined> =>
  table.getRecent<Program>(keys.program(programId));

export async function anyProgramAllows(table: Table, origin: string): Promise<boolean> {
  const found = await Promise.all(
    originPatterns(origin).map((pattern) => table.get<{ programIds?: Set<number> }>(keys.origin(pattern))),
  );
  return found.some((item) => (item?.programIds?.size ?? 0) > 0);
}

/** How many ids after the sequence's last number are tried too. A restore of the table may have reset the sequence. */
const BEYOND = 100;
const STRIDE = 1_000;

/** Yields every program of all workspaces. It tries all ids in order, because no list contains all programs. */
export async function* everyProgram(table: Table, highest: number): AsyncGenerator<Program> {
  for (let first = 1; first <= highest + BEYOND; first += STRIDE) {
    const ids = Array.from({ length: STRIDE }, (_, index) => first + index);
    const found = await Promise.all(ids.map((id) => findProgram(table, id)));
    for (const program of found) if (program) yield program;
  }
}

/** The highest program id assigned so far. */
export async function highestProgramId(table: Table): Promise<number> {
  const sequence = await table.get<{ readonly last?: number }>(keys.sequence('program'));
  return sequence?.last ?? 0;
}

/** Writes of a new program: the program, its first key and its allowed origins. */
export const newProgramWrites = (program: Program): Write[] => [
  {
    name: 'program',
    key: keys.program(program.id),
    put: { ...program, ...indexKeys.program(program.workspaceId, program.createdAt, program.id) },
    condition: { isNew: true },
  },
  credentialWrite(program.keyHash, program.id),
  ...program.allowedOrigins.map((origin): Write => ({
    name: 'origin',
    key: keys.origin(origin),
    change: { add: { programIds: new Set([program.id]) } },
  })),
];

export const placeOf = ({ workspaceId, createdAt, id }: Program): string =>
  indexKeys.program(workspaceId, createdAt, id).gsi1sk;

/** Programs of a workspace, oldest first. */
export const programsOf = (table: Table, workspaceId: number, page: PageRequest): Promise<Page<Program>> =>
  pageOf<Program>(table, indexKeys.program(workspaceId, '', 0).gsi1pk, page);

/** Ids of all programs of a workspace. A program that is being created may be missing. */
export async function programIdsOf(table: Table, workspaceId: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of pagesOf(table, indexKeys.program(workspaceId, '', 0).gsi1pk)) {
    ids.push(...page.map(programIdOf));
  }
  return ids;
}

/** Writes that change a program's settings and update its allowed origins. */
export function changedProgramWrites(before: Program, after: Program): Write[] {
  const added = after.allowedOrigins.filter((origin) => !before.allowedOrigins.includes(origin));
  const dropped = before.allowedOrigins.filter((origin) => !after.allowedOrigins.includes(origin));
  const programIds = new Set([after.id]);
  return [
    {
      name: 'program',
      key: keys.program(after.id),
      change: { set: { ...differenceOf(before, after), revision: (before.revision ?? 0) + 1 } },
      // Fails if another change of the program, or a change of a group's terms, was written first. This request then
      // reloads and decides again.
      condition: { exists: true, equals: { revision: before.revision, lastTermsVersion: before.lastTermsVersion } },
    },
    ...added.map((origin): Write => ({ name: 'origin', key: keys.origin(origin), change: { add: { programIds } } })),
    ...dropped.map((origin): Write => ({
      name: 'origin',
      key: keys.origin(origin),
      change: { takeOut: { programIds } },
    })),
  ];
}

/**
 * Returns all attributes that differ. No list of settings is used: if a setting were missing from such a list, its
 * change would be confirmed but not stored.
 */
const differenceOf = (before: Program, after: Program): Partial<Program> =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(value, before[field as keyof Program])),
  );

/**
 * Begins to store a program's facts. If two requests race, the earlier time stays.
 * @returns since when facts are stored
 */
export async function beginFacts(table: Table, programId: number, now: Date): Promise<string> {
  const factsSince = now.toISOString();
  try {
    await table.update(keys.program(programId), { set: { factsSince } }, { equals: { factsSince: null } });
    return factsSince;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return factsBegunAt(error.existing.get('item') as unknown as Program)!;
  }
}

/** The stored item of the current key. */
export const findKey = (table: Table, { keyHash }: Program): Promise<ProgramKey | undefined> =>
  table.get<ProgramKey>(keys.credential(keyHash));

/** Records that a key was used in this hour. If another key has replaced it, its removed item is not created again. */
export const recordKeyUse = (table: Table, keyHash: string, lastUsedAt: string): Promise<unknown> =>
  table.update(keys.credential(keyHash), { set: { lastUsedAt } }, { exists: true, below: { lastUsedAt } });

/**
 * Writes that replace a program's key in one transaction. From then on the old key is refused, and the mark that it
 * must be rotated is removed.
 */
export const keyReplacementWrites = (before: Program, after: Program): Write[] => [
  {
    name: 'program',
    key: keys.program(after.id),
    change: {
      set: {
        keyHash: after.keyHash,
        keyMasked: after.keyMasked,
        keyRotatedAt: after.keyRotatedAt,
        updatedAt: after.updatedAt,
      },
    },
    // Closes the race between two owners who generate a key: the second request reloads and replaces the first one's
    // key, so that exactly one key is left.
    condition: { equals: { keyHash: before.keyHash } },
  },
  { name: 'oldKey', key: keys.credential(before.keyHash), remove: true },
  credentialWrite(after.keyHash, after.id),
];

const credentialWrite = (keyHash: string, programId: number): Write => ({
  name: 'key',
  key: keys.credential(keyHash),
  put: { class: 'programKey', programId } satisfies ProgramKey,
  condition: { isNew: true },
});

/** Marks the key for rotation. Fails if another key was written first. This request then reloads and decides again. */
export const markedKeyWrite = (
  program: Program,
  mark: Required<Pick<ProgramKey, 'rotationMarkedAt' | 'rotationDeadline'>>,
): Write => ({
  name: 'key',
  key: keys.credential(program.keyHash),
  change: { set: mark },
  condition: { exists: true },
});

/** A check that the key still has this rotation mark. */
export const markedKeyCheck = ({ keyHash }: Program, rotationMarkedAt: string): Write => ({
  name: 'key',
  key: keys.credential(keyHash),
  check: true,
  condition: { equals: { rotationMarkedAt } },
});

/** Removes the mark for rotation from the program's key. @throws ConditionFailed if the key was replaced */
export const unmarkKey = (table: Table, program: Program) =>
  table.update(
    keys.credential(program.keyHash),
    { set: { rotationMarkedAt: undefined, rotationDeadline: undefined } },
    { exists: true },
  );
