import { invitationMail } from '#lib/service/programs/partners/partner-mails.ts';
import {
  type Agreements,
  type Group,
  groupCalled,
  type TermsOfPartner,
  termsOfPartner,
  withPartnerTerms,
} from '#lib/service/programs/terms/agreements.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import type { AddressedPartner, Partner } from '#lib/service/programs/partners/partner.ts';
import { MOST_PARTNERS, type Program } from '#lib/service/programs/program/program.ts';
import {
  codeTaken,
  partnerAlreadyInProgram,
  partnersFull,
  programNotFound,
  programPaused,
  shortLinkTaken,
} from '#lib/service/ground/values/refusals.ts';
import { isTestLink } from '#lib/service/programs/links/referral-link.ts';
import { NONE_PENDING, type PendingInvitations } from '#lib/service/people/invitations/invitation-limits.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { changedAgreementsWrites, findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { findPartnerByEmail, type KnownPartner } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner, newPartnerWrites } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { type CountedInvitation, countedInvitation } from '#lib/service/people/invitations/count-invitation.ts';
import { wishedCodeWrites } from '#lib/service/programs/links/wished-code.ts';
import { withFirstLink } from '#lib/service/programs/links/first-link.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** A person whom the brand adds or invites; the e-mail is trimmed and lower-cased. */
export interface WantedPartner extends Pick<AddressedPartner, 'name' | 'email' | 'wishedLink' | 'wishedCode'> {
  readonly invite?: boolean;
  /** Id or name of a group. */
  readonly group?: number | string;
}

interface AddedPartner {
  readonly partner: AddressedPartner;
  readonly terms: TermsOfPartner;
}

/**
 * Adds a partner to a program, or invites a person to become one. An added partner has a link and earns at once; in
 * both cases the person must still accept. If the workspace already knows a partner with this e-mail address, the
 * partner has the same id and name in this program. Invited people belong to their group at once, and get link and code
 * when they accept.
 * @throws Refusal when the partner is in the program already in any status, there is no such group, the name of the
 * link or the code is taken, the program is paused or full, or no further invitation may be sent
 */
export const addPartner = async (deps: Deps, programId: number, wanted: WantedPartner): Promise<AddressedPartner> =>
  (await addPartnerWithTerms(deps, programId, wanted)).partner;

/** Does the same as `addPartner`, and also returns the terms by which the partner will be paid. */
export const addPartnerWithTerms = (deps: Deps, programId: number, wanted: WantedPartner): Promise<AddedPartner> =>
  retryOnConflict(deps, async () => storePartner(deps, await decidePartner(deps, programId, wanted)));

/** A partner who may be added, and what was read to decide it. */
interface DecidedPartner {
  readonly program: Program;
  readonly agreements: Agreements;
  readonly wanted: WantedPartner;
  readonly known?: KnownPartner;
  readonly group?: Group;
  /** The invitation; absent if the partner is added without one. */
  readonly invitation?: CountedInvitation;
}

/**
 * Decides whether a partner may be added, and writes nothing.
 * @param pending invitations from the same list that are decided but not stored yet
 * @throws Refusal as `addPartner`
 */
export async function decidePartner(
  deps: Deps,
  programId: number,
  wanted: WantedPartner,
  pending: PendingInvitations = NONE_PENDING,
): Promise<DecidedPartner> {
  const { table } = deps;
  const { email, invite, wishedLink, wishedCode } = wanted;
  const [program, agreements, link, code] = await Promise.all([
    findProgram(table, programId),
    findAgreements(table, programId),
    wishedLink === undefined ? undefined : findLink(table, wishedLink),
    findCode(table, programId, wishedCode),
  ]);
  if (!program) throw programNotFound();
  const group = wanted.group === undefined ? undefined : groupCalled(agreements, wanted.group);
  const known = await findPartnerByEmail(table, program.workspaceId, email);
  if (known && (await findPartner(table, programId, known.id))) throw partnerAlreadyInProgram();
  const { candidateCount = 0 } = program;
  checkRoom({ ...program, candidateCount: candidateCount + pending.mailboxes.size }, invite ? 'invited' : 'active');
  if (link || (wishedLink !== undefined && isTestLink(wishedLink))) throw shortLinkTaken();
  if (code) throw codeTaken();
  const invitation = invite ? await countedInvitation(deps, program, email, pending) : undefined;
  return { program, agreements, wanted, known, group, invitation };
}

async function storePartner(
  deps: Deps,
  { program, agreements, wanted, known, group, invitation }: DecidedPartner,
): Promise<AddedPartner> {
  const { table, now } = deps;
  const { invite, wishedLink, wishedCode } = wanted;
  const status = invite ? 'invited' : 'active';
  const { partner, writes: ofLink } = await withFirstLink<AddressedPartner>(deps, program, {
    id: known?.id ?? (await nextNumber(table, 'partner')),
    programId: program.id,
    name: known?.name ?? wanted.name,
    email: wanted.email,
    status,
    links: [],
    ...(wishedLink !== undefined && { wishedLink }),
    ...(wishedCode !== undefined && { wishedCode }),
    ...(invite && { invitedAt: now.toISOString() }),
    createdAt: now.toISOString(),
  });
  const { id, name, email } = partner;
  const grouped = group && withPartnerTerms(program, agreements, id, { groupId: group.id });
  await table.transact([
    ...newPartnerWrites(program, partner, known !== undefined),
    ...(grouped ? changedAgreementsWrites(program, agreements, grouped) : []),
    ...(invitation?.writes ?? []),
    ...ofLink,
    ...(invite ? invitationMail(deps, program, partner, partner) : []),
    ...(await wishedCodeWrites(deps, program, partner)),
    ...auditWrites(deps, program.workspaceId, {
      action: 'partner.added',
      target: { type: 'partner', id, name, programId: program.id },
      changes: changesBetween(
        {},
        { name, email, ...(invite && { status }), groupId: group?.id, wishedLink, wishedCode },
      ),
    }),
  ]);
  return { partner, terms: termsOfPartner(program, grouped?.after ?? agreements, partner) };
}

/**
 * Checks that a program's limits allow another partner.
 * @throws Refusal when a program has no room for another partner of this status
 */
export function checkRoom({ status, partnerCount, candidateCount = 0 }: Program, wanted: Partner['status']): void {
  if (status === 'paused') throw programPaused();
  // An application is never refused for lack of room: it waits in the queue.
  if (wanted === 'applied') return;
  const count = wanted === 'active' ? partnerCount : candidateCount;
  if (count >= MOST_PARTNERS) throw partnersFull(MOST_PARTNERS);
}
