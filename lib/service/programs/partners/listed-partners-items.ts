import {
  isInQueue,
  type Partner,
  partnerStatusAt,
  type PartnerStatus,
} from '#lib/service/programs/partners/partner.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { activePartnerCount, type Program } from '#lib/service/programs/program/program.ts';
import { firstListed, inOrder, pageOf } from '#lib/service/ground/table/pages.ts';
import { indexKeys, partnerIdOf } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';

const joinedOf = (programId: number): string => indexKeys.partner(programId, '', 0).gsi1pk;
const candidatesOf = (programId: number): string => indexKeys.candidate(programId, '', 0).gsi1pk;

/** Selects partners by their current status; without a status, all partners. */
export interface PartnerFilter {
  readonly status?: PartnerStatus;
  /** True lists only queued applications, false all others; absent lists both. */
  readonly isQueued?: boolean;
  readonly now: Date;
}

const isKept =
  ({ status, isQueued, now }: PartnerFilter) =>
  (partner: Partner): boolean =>
    (status === undefined || partnerStatusAt(partner, now) === status) &&
    (isQueued === undefined || isInQueue(partner) === isQueued);

/**
 * Whether the filter may select partners of the list of those who have joined. A removed partner stays in this list,
 * even when invited again.
 */
const mayHaveJoined = ({ status, isQueued }: PartnerFilter): boolean =>
  status !== 'applied' && status !== 'rejected' && isQueued !== true;
/**
 * Whether the filter may select candidates: people who have never joined. Some of them have the status `removed`,
 * because they closed their account before they joined.
 */
const mayBeCandidate = ({ candidateCount = 0, queuedCount = 0 }: Program, { status }: PartnerFilter): boolean =>
  candidateCount + queuedCount > 0 && status !== 'active';

/** The position before the first partner in the queue. All keys of the queue begin with this prefix. */
const QUEUE = 'queued#';

/** Partners of a program, oldest first, followed by those in the queue. */
export function partnersOf(
  table: Table,
  program: Program,
  filter: PartnerFilter,
  { most, after }: PageRequest,
): Promise<Page<Partner>> {
  const lists = [
    ...(mayHaveJoined(filter) ? [joinedOf(program.id)] : []),
    ...(mayBeCandidate(program, filter) ? [candidatesOf(program.id)] : []),
  ];
  const page = { most, after: after ?? (filter.isQueued ? QUEUE : undefined) };
  return pageOf(table, lists, page, isKept(filter));
}

/**
 * The number of joined partners with this status, if the program stores it. With an undefined status, the number of all
 * joined partners.
 */
function joinedCount(program: Program, status: PartnerStatus | undefined): number | undefined {
  if (status === undefined) return program.partnerCount;
  return status === 'active' ? activePartnerCount(program) : undefined;
}

/** The first partners of a program, oldest first, and the number of all matching partners, optionally by status. */
export async function firstPartners(table: Table, program: Program, filter: PartnerFilter, most: number) {
  const { id: programId, removedPartnerIds } = program;
  const removed = new Set(removedPartnerIds);
  const { status, isQueued } = filter;
  const keep = isKept(filter);
  const none = { entries: [], count: 0 };
  const hasJoined = mayHaveJoined(filter);
  const known = hasJoined ? joinedCount(program, status) : undefined;
  const [joined, candidates] = await Promise.all([
    hasJoined
      ? firstListed(table, joinedOf(programId), most, {
          // Whether a partner is active is decided by its id and the program's list of removed ids. Reading each
          // partner would take capacity of the program's partition, which clicks and sales need.
          isWanted: (key) => status === undefined || removed.has(partnerIdOf(key)) === (status !== 'active'),
          keep: known === undefined ? keep : undefined,
          isCounted: known !== undefined,
        })
      : none,
    mayBeCandidate(program, filter)
      ? firstListed(table, candidatesOf(programId), most, {
          keep: status === undefined && isQueued === undefined ? undefined : keep,
        })
      : none,
  ]);
  const entries = inOrder([...joined.entries, ...candidates.entries]).slice(0, most);
  return {
    partners: entries.map((key) => ({ partnerId: partnerIdOf(key), place: key.position })),
    count: (known ?? joined.count) + candidates.count,
  };
}
