import type { Partner } from '#lib/domain/partner.ts';
import type { Page, PageRequest } from '#lib/domain/paging.ts';
import { MOST_PARTNERS, type Program } from '#lib/domain/program.ts';
import { firstListed, pageOf } from '#lib/service/store/pages.ts';
import { indexKeys, type Key, keys, partnerIdOf } from '#lib/service/store/keys.ts';
import { addressWrite, forgottenAddressWrite } from '#lib/service/store/partner-accounts.ts';
import type { Table } from '#lib/service/store/table.ts';
import { MOST_WRITES, type Write } from '#lib/service/store/writes.ts';

/** The partner with this e-mail in any program of a workspace. */
export interface KnownPartner extends Pick<Partner, 'id' | 'name' | 'email'> {
  /** To which it was added. Of older additions there is no list, or they are missing in it. */
  readonly programIds?: ReadonlySet<number>;
}

export const findPartner = (table: Table, programId: number, partnerId: number): Promise<Partner | undefined> =>
  table.get<Partner>(keys.partner(programId, partnerId));

export const findPartnerByEmail = (
  table: Table,
  workspaceId: number,
  email: string,
): Promise<KnownPartner | undefined> => table.get<KnownPartner>(keys.partnerEmail(workspaceId, email));

/** Writes that add a partner to a program. @param isKnown whether another program of the workspace has it already */
export function newPartnerWrites(program: Program, partner: Partner, isKnown: boolean): Write[] {
  const { id, name, email } = partner;
  const programIds = new Set([program.id]);
  return [
    {
      name: 'partner',
      key: keys.partner(partner.programId, id),
      put: { ...partner, ...indexKeys.partner(partner.programId, partner.createdAt, id) },
      condition: { isNew: true },
    },
    {
      name: 'program',
      key: keys.program(program.id),
      change: { add: { partnerCount: 1 } },
      // A concurrently paused or filled program takes no new partner.
      condition: { equals: { status: 'active' }, below: { partnerCount: MOST_PARTNERS } },
    },
    {
      name: 'email',
      key: keys.partnerEmail(program.workspaceId, email),
      ...(isKnown
        ? {
            change: { add: { programIds } },
            // The partner is renamed or gets another e-mail at this moment: the loser adds what the winner left.
            condition: { equals: { id, name } },
          }
        : {
            put: { id, name, email, programIds } satisfies KnownPartner,
            // Two programs add the same person at once: the loser uses the id that the winner gave.
            condition: { isNew: true },
          }),
    },
    addressWrite(partner),
  ];
}

/**
 * Writes that give a partner another name or e-mail in all of its programs. The former e-mail is then free. The new
 * address leads to those without account; these writes are the last, and may be repeated.
 * @param relations the partner in each of its programs
 */
export function changedPartnerWrites(
  workspaceId: number,
  relations: readonly Partner[],
  before: KnownPartner,
  { id, name, email }: Partner,
): Write[] {
  const known = keys.partnerEmail(workspaceId, before.email);
  const programIds = new Set(relations.map(({ programId }) => programId));
  // Another change, or a program that adds the partner at this moment: the loser decides again on what the winner left.
  const condition = { equals: { id, name: before.name, programIds: before.programIds } };
  const isMoved = email !== before.email;
  const changed: Write[] = [
    ...(isMoved
      ? [
          { name: 'formerEmail', key: known, remove: true, condition } as const,
          {
            name: 'email',
            key: keys.partnerEmail(workspaceId, email),
            put: { id, name, email, programIds } satisfies KnownPartner,
            // Another partner gets this e-mail at the same moment: the loser is refused.
            condition: { isNew: true },
          } as const,
        ]
      : [{ name: 'email', key: known, change: { set: { name, programIds } }, condition }]),
    ...relations.map((relation) => ({
      name: 'partner',
      key: keys.partner(relation.programId, id),
      change: { set: { name, email } },
      // What is not changed is kept from these reads, of which one may be older than the others. A person who signs in
      // with the former address at this moment becomes this partner, or does not.
      condition: { equals: { name: relation.name, email: relation.email, accountId: relation.accountId } },
    })),
  ];
  const waiting = isMoved ? relations.filter(({ accountId }) => accountId === undefined) : [];
  const found = waiting.map((relation) => addressWrite({ ...relation, email }));
  // Where all of them, and a row of the audit list, do not fit into one transaction these stay: who signs in with the
  // former address removes them.
  const former = waiting.map(forgottenAddressWrite);
  return [...changed, ...found, ...former].slice(0, Math.max(MOST_WRITES - 1, changed.length + found.length));
}

/** Partners of a program, oldest first. */
export const partnersOf = (
  table: Table,
  programId: number,
  page: PageRequest,
  keep: (partner: Partner) => boolean,
): Promise<Page<Partner>> => pageOf(table, indexKeys.partner(programId, '', 0).gsi1pk, page, keep);

/**
 * Every partner of a program, removed ones as well. They are next to each other in its partition: even the most there
 * may be, about 3 MB, cost four queries and 400 read units, where one by one they would be 10,000.
 */
export const allPartnersOf = (table: Table, programId: number): Promise<Partner[]> =>
  table.query<Partner>(keys.program(programId).pk, { prefix: 'PARTNER#', forList: true });

/** The partners behind one of them, in the order of their keys, whatever their status. */
export async function partnersAfter(
  table: Table,
  programId: number,
  after: string | undefined,
  most: number,
): Promise<(Partner & Key)[]> {
  const found = await table.query<Partner & Key>(keys.program(programId).pk, { prefix: 'PARTNER#', after, most });
  return found.slice(0, most);
}

/** The first partners of a program, oldest first, and how many there are; of one status if wanted. */
export async function firstPartners(
  table: Table,
  { id: programId, removedPartnerIds }: Program,
  status: Partner['status'] | undefined,
  most: number,
) {
  const removed = new Set(removedPartnerIds);
  const isWanted = (key: Key) => status === undefined || removed.has(partnerIdOf(key)) === (status === 'removed');
  // No partner is read: all of a program are in its own partition, which every click reads.
  const { entries, count } = await firstListed(table, indexKeys.partner(programId, '', 0).gsi1pk, most, { isWanted });
  return { partners: entries.map((key) => ({ partnerId: partnerIdOf(key), place: key.position })), count };
}

/** Holds while a partner is in its program: of a removal at the same moment one is decided again. */
export const activePartnerCheck = ({ programId, id }: Pick<Partner, 'programId' | 'id'>): Write => ({
  name: 'partner',
  key: keys.partner(programId, id),
  check: true,
  condition: { equals: { status: 'active' } },
});

/** Writes that remove or restore a partner: on its relation, on the program for sales, on its links for clicks. */
export function partnerStatusWrites(program: Program, before: Partner, after: Partner): Write[] {
  const { removedPartnerIds } = program;
  const others = removedPartnerIds.filter((id) => id !== after.id);
  const isRemoved = after.status === 'removed';
  return [
    {
      name: 'program',
      key: keys.program(program.id),
      change: { set: { removedPartnerIds: isRemoved ? [...others, after.id] : others } },
      // Two removals race: the loser adds its partner to the winner's list.
      condition: { equals: { removedPartnerIds } },
    },
    {
      name: 'partner',
      key: keys.partner(program.id, after.id),
      change: { set: { status: after.status } },
      // A concurrently created link must not stay open.
      condition: { equals: { links: before.links } },
    },
    ...before.links.map((shortLink): Write => ({
      name: 'link',
      key: keys.link(shortLink),
      change: { set: { partnerRemoved: isRemoved || undefined } },
      condition: { exists: true },
    })),
  ];
}
