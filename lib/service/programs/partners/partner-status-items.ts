import type { Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';
import { type IndexKey, indexKeys, keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The list that contains a partner: those who joined, the candidates, or the queued applications. */
export function placeOf({ programId, createdAt, id, application }: Partner, hasJoined: boolean): IndexKey {
  const candidate = application?.isQueued ? indexKeys.queuedCandidate : indexKeys.candidate;
  return (hasJoined ? indexKeys.partner : candidate)(programId, createdAt, id);
}

/**
 * The name of the counter for a person who has not joined. People in the queue have a separate counter, so that they
 * take no place from others.
 */
export const candidateCounter = ({ application }: Pick<Partner, 'application'>): 'candidateCount' | 'queuedCount' =>
  application?.isQueued ? 'queuedCount' : 'candidateCount';

/** Fails if the partner was removed in the meantime. This request then reloads and decides again. */
export const activePartnerCheck = ({ programId, id }: Pick<Partner, 'programId' | 'id'>): Write => ({
  name: 'partner',
  key: keys.partner(programId, id),
  check: true,
  condition: { equals: { status: 'active' } },
});

/** Fails if the person stopped sharing payout details in the meantime. This request then reloads and decides again. */
export const sharingPartnerCheck = ({ programId, id, accountId, joinedAt }: Partner): Write => ({
  name: 'sharingPartner',
  key: keys.partner(programId, id),
  check: true,
  condition: { equals: { status: 'active', accountId, joinedAt } },
});

/**
 * Writes that remove or restore a partner. They change the partner, the program (because sales read it) and the
 * partner's links (because clicks read them).
 */
export function partnerStatusWrites(program: Program, before: Partner, after: Partner): Write[] {
  const { removedPartnerIds } = program;
  const others = removedPartnerIds.filter((id) => id !== after.id);
  const isRemoved = after.status === 'removed';
  return [
    {
      name: 'program',
      key: keys.program(program.id),
      change: { set: { removedPartnerIds: isRemoved ? [...others, after.id] : others } },
      // Closes the race between two removals: the second one adds its partner to the list that the first one wrote.
      condition: { equals: { removedPartnerIds } },
    },
    // Requires the links as they were read. A link created during the removal would otherwise keep working. If there is
    // one, this request reads the partner again and decides again.
    changedStatusWrite(before, after, { links: before.links }),
    ...before.links.map((shortLink): Write => ({
      name: 'link',
      key: keys.link(shortLink),
      change: { set: { partnerRemoved: isRemoved || undefined } },
      condition: { exists: true },
    })),
  ];
}

/** Writes that make an invited person or an applicant a partner for the first time. */
export const joinedPartnerWrites = (program: Program, before: Partner, after: Partner): Write[] => [
  {
    name: 'program',
    key: keys.program(program.id),
    change: { add: { partnerCount: 1, [candidateCounter(before)]: -1 } },
    // Fails if the program was paused or filled, or got new terms in the meantime. This request then reloads and is
    // refused.
    condition: {
      equals: { status: 'active', partnerTermsVersion: program.partnerTermsVersion },
      below: { partnerCount: MOST_PARTNERS },
    },
  },
  changedStatusWrite(before, after, {}, placeOf(after, true)),
];

/** Writes which record that a person has accepted the newest partner terms, or the partnership. The status stays. */
export const acceptedWrites = (
  { id, partnerTermsVersion }: Program,
  before: Partner,
  accepted: Pick<Partner, 'acceptedTerms' | 'joinedAt'>,
): Write[] => [
  changedStatusWrite(before, { ...before, ...accepted }),
  // Fails if the brand changed the text in the meantime. This request is then refused, because the person has not seen
  // the new text.
  { name: 'program', key: keys.program(id), check: true, condition: { equals: { partnerTermsVersion } } },
];

/**
 * The write that changes the status of a partner and the attributes that depend on it.
 * @param unchanged further attributes that must still be as they were read
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
      ...(after.links !== before.links && { links: after.links }),
      ...(after.wishedLink !== before.wishedLink && { wishedLink: after.wishedLink }),
      ...(after.wishedCode !== before.wishedCode && { wishedCode: after.wishedCode }),
      ...(isClosed(before, after) && personOf(after)),
    },
  },
  // Fails if another change of status came first, or if the brand has corrected the address of an invitation. This
  // request then reloads and decides again.
  condition: {
    equals: {
      ...statusFacts(before),
      accountId: before.accountId,
      // Fails if another link was created or removed in the meantime. This request then reloads, so that the list of
      // links stays complete.
      ...(after.links !== before.links && { links: before.links }),
      ...unchanged,
      ...(isClosed(before, after) && { name: before.name, email: before.email }),
    },
  },
});

const isClosed = (before: Partner, after: Partner): boolean =>
  before.accountId !== undefined && after.accountId === undefined;

/** The attributes of a partner that describe the person. */
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
