import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';
import { type IndexKey, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** Where a partner is listed: with those who joined, or apart, those of the queue behind the others. */
export function placeOf({ programId, createdAt, id, application }: Partner, hasJoined: boolean): IndexKey {
  const candidate = application?.isQueued ? indexKeys.queuedCandidate : indexKeys.candidate;
  return (hasJoined ? indexKeys.partner : candidate)(programId, createdAt, id);
}

/** Among whom a person counts who has not joined; a queued one does not take the place of another. */
export const candidateCounter = ({ application }: Pick<Partner, 'application'>): 'candidateCount' | 'queuedCount' =>
  application?.isQueued ? 'queuedCount' : 'candidateCount';

/** Holds while a partner is in its program: of a removal at the same moment one is decided again. */
export const activePartnerCheck = ({ programId, id }: Pick<Partner, 'programId' | 'id'>): Write => ({
  name: 'partner',
  key: keys.partner(programId, id),
  check: true,
  condition: { equals: { status: 'active' } },
});

/** Holds while a person shares their payout details as this partner: of an end at the same moment one is decided again. */
export const sharingPartnerCheck = ({ programId, id, accountId, joinedAt }: Partner): Write => ({
  name: 'sharingPartner',
  key: keys.partner(programId, id),
  check: true,
  condition: { equals: { status: 'active', accountId, joinedAt } },
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
    // A concurrently created link must not stay open.
    changedStatusWrite(before, after, { links: before.links }),
    ...before.links.map((shortLink): Write => ({
      name: 'link',
      key: keys.link(shortLink),
      change: { set: { partnerRemoved: isRemoved || undefined } },
      condition: { exists: true },
    })),
  ];
}

/** Writes by which somebody who was invited, or asked, becomes a partner for the first time. */
export const joinedPartnerWrites = (program: Program, before: Partner, after: Partner): Write[] => [
  {
    name: 'program',
    key: keys.program(program.id),
    change: { add: { partnerCount: 1, [candidateCounter(before)]: -1 } },
    // A concurrently paused or filled program takes no new partner, and a person agrees to the newest terms.
    condition: {
      equals: { status: 'active', partnerTermsVersion: program.partnerTermsVersion },
      below: { partnerCount: MOST_PARTNERS },
    },
  },
  changedStatusWrite(before, after, {}, placeOf(after, true)),
];

/** Writes that a person has accepted the newest terms, or to be a partner, without another status. */
export const acceptedWrites = (
  { id, partnerTermsVersion }: Program,
  before: Partner,
  accepted: Pick<Partner, 'acceptedTerms' | 'joinedAt'>,
): Write[] => [
  changedStatusWrite(before, { ...before, ...accepted }),
  // The brand changes the text at this moment: the person has not seen it.
  { name: 'program', key: keys.program(id), check: true, condition: { equals: { partnerTermsVersion } } },
];

/**
 * Writes the status of a partner and what belongs to it.
 * @param unchanged what else must be as it was
 */
export const changedStatusWrite = (
  before: Partner,
  after: Partner,
  unchanged: Partial<Partner> = {},
  place: Partial<IndexKey> = {},
): Write => ({
  name: 'partner',
  key: keys.partner(after.programId, after.id),
  change: {
    set: {
      ...statusFacts(after),
      ...place,
      ...(after.mail !== before.mail && { mail: after.mail }),
      ...(isClosed(before, after) && personOf(after)),
    },
  },
  // Two steps race, or the brand corrects the address of an invitation: the loser decides again on what the winner left.
  condition: {
    equals: {
      ...statusFacts(before),
      accountId: before.accountId,
      ...unchanged,
      ...(isClosed(before, after) && { name: before.name, email: before.email }),
    },
  },
});

const isClosed = (before: Partner, after: Partner): boolean =>
  before.accountId !== undefined && after.accountId === undefined;

/** What goes with the account. */
const personOf = ({ name, accountId, email, mail }: Partner) => ({ name, accountId, email, mail });

const statusFacts = (partner: Partner) => ({
  status: partner.status,
  invitedAt: partner.invitedAt,
  joinedAt: partner.joinedAt,
  restoredAt: partner.restoredAt,
  application: partner.application,
  rejectedAt: partner.rejectedAt,
  rejectionReason: partner.rejectionReason,
  leftAt: partner.leftAt,
  wasRemoved: partner.wasRemoved,
  acceptedTerms: partner.acceptedTerms,
});
