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

/** Filters partners by their current status; without it, all. */
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

/** A removed partner who is invited again is still listed with those who joined. */
const mayHaveJoined = ({ status, isQueued }: PartnerFilter): boolean =>
  status !== 'applied' && status !== 'rejected' && isQueued !== true;
/** Removed people who have never joined are listed with the candidates; they have closed their account. */
const mayBeCandidate = ({ candidateCount = 0, queuedCount = 0 }: Program, { status }: PartnerFilter): boolean =>
  candidateCount + queuedCount > 0 && status !== 'active';

/** A position before the first partner in the queue, whose keys have this prefix. */
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

/** How many partners with this status have joined, if the program knows it. Any status if undefined. */
function joinedCount(program: Program, status: PartnerStatus | undefined): number | undefined {
  if (status === undefined) return program.partnerCount;
  return status === 'active' ? activePartnerCount(program) : undefined;
}

/** The first partners of a program, oldest first, and how many there are; optionally of one status. */
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
          // Active partners are not read one by one: all of a program are in its own partition, which every click
          // reads.
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
