import type { Account } from '#lib/service/ground/addresses/account.ts';
import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import {
  type AddressedPartner,
  type Application,
  isInQueue,
  mayApplyFrom,
  ownStatusAt,
  type Partner,
} from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  mayApplyLater,
  noApplications,
  partnerEmailTaken,
  partnerHasLeft,
  programNotFound,
} from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartnerByEmail } from '#lib/service/programs/partners/known-partners-items.ts';
import { findPartner, newPartnerWrites } from '#lib/service/programs/partners/partners-items.ts';
import { changedStatusWrite } from '#lib/service/programs/partners/partner-status-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { nextNumber } from '#lib/service/ground/counters/sequence-items.ts';
import { agreedTo } from '#lib/service/programs/joining/accept-terms.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { stepAudit } from '#lib/service/programs/partners/set-partner-status.ts';
import { checkAccountIsOpen } from '#lib/service/people/accounts/check-account-is-open.ts';
import { checkRoom } from '#lib/service/programs/partners/add-partner.ts';
import { endedOffer } from '#lib/service/programs/joining/ended-offer.ts';
import { mergedWrites } from '#lib/service/ground/table/merged-writes.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { withFirstLink } from '#lib/service/programs/links/first-link.ts';
import { becomeActive } from '#lib/service/programs/joining/decide-application.ts';
import { isLikeRemoved } from '#lib/service/programs/joining/find-removed-person.ts';
import { holdWrites, matchPartner, matchPartners } from '#lib/service/programs/joining/match-partners.ts';
import { applicationWrites } from '#lib/service/programs/partners/partner-mails.ts';
import { placeApplication } from '#lib/service/programs/joining/place-application.ts';
import { accountWritesOfJoining } from '#lib/service/programs/payout-details/same-account.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** The data that a person sends to become a partner. */
export interface JoinRequest extends Pick<Application, 'message' | 'website'> {
  readonly termsVersion?: unknown;
  /** The network (IP prefix) from which the request comes. */
  readonly network: () => Promise<string>;
}

/**
 * Makes a person a partner if the program is open or has invited the person; otherwise records an application. A
 * repeated call changes nothing.
 * @throws Refusal
 */
export const joinProgram = (deps: Deps, account: Account, programId: number, sent: JoinRequest): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    await checkAccountIsOpen(deps, account.id);
    // If the brand has added the person since the last sign-in, this links that partner to the account.
    await matchPartners(deps, account);
    const [program, before] = await Promise.all([
      findProgram(deps.table, programId),
      ownPartner(deps, account, programId),
    ]);
    if (!program) throw programNotFound();
    return decide(deps, program, account, before, sent);
  });

async function decide(
  deps: Deps,
  program: Program,
  account: Account,
  before: Partner | undefined,
  sent: JoinRequest,
): Promise<Partner> {
  const status = before && ownStatusAt(before, deps.now);
  if (before && status === 'active') return before;
  // A removed partner whose invitation to return has ended is as removed as before.
  const isRemoved = status === 'expired' && before !== undefined && program.removedPartnerIds.includes(before.id);
  if (status === 'removed' || isRemoved) throw partnerHasLeft();
  // An open program accepts everyone except people who resemble a removed partner. The owner decides about these.
  const isOpen = program.join === 'open' && !(await isLikeRemoved(deps, program, account));
  // Even in an open program, an application in the queue waits for the owner's decision.
  if (before && status === 'applied' && (!isOpen || isInQueue(before))) return before;
  const isInvited = status === 'invited';
  if (!isInvited && (program.join ?? 'closed') === 'closed') throw noApplications();
  const from = status === 'rejected' && before ? mayApplyFrom(before) : undefined;
  if (from && deps.now < from) throw mayApplyLater(dayOf(from));
  const agreed = agreedTo(deps, program, sent.termsVersion);
  if (before && isInvited) return becomeActive(deps, program, before, agreed);
  const application = { message: sent.message, website: sent.website, appliedAt: deps.now.toISOString() };
  const asked = { ...agreed, application };
  if (!before) {
    const listed = await listedPartner(deps, program, account);
    return listed
      ? decide(deps, program, account, listed, sent)
      : join(deps, program, account, asked, { isOpen, network: sent.network });
  }
  const isOver = status === 'expired' || status === 'rejected';
  const { wishes, writes } = isOver ? await endedOffer(deps, program, before) : { writes: [] };
  const change = { ...asked, ...wishes };
  return isOpen
    ? becomeActive(deps, program, before, change, writes)
    : applyAgain(deps, program, before, change, writes);
}

/** Returns the partner whom the brand has added with this address. The address may not be linked to the account yet. */
async function listedPartner(deps: Deps, program: Program, account: Account): Promise<Partner | undefined> {
  const { table } = deps;
  const known = await findPartnerByEmail(table, program.workspaceId, account.email);
  const listed = known && (await findPartner(table, program.id, known.id));
  if (!listed) return undefined;
  await matchPartner(deps, account, { programId: program.id, partnerId: listed.id });
  table.forget();
  const own = await ownPartner(deps, account, program.id);
  // The partner with this address is linked to another account, which had the address before.
  if (!own) throw partnerEmailTaken();
  return own;
}

async function ownPartner({ table }: Deps, { id }: Account, programId: number): Promise<Partner | undefined> {
  const pointer = await findPartnerOfAccount(table, id, programId);
  return pointer && findPartner(table, programId, pointer.partnerId);
}

type Asked = Pick<Partner, 'acceptedTerms'> & { readonly application: Application };

async function applyAgain(
  deps: Deps,
  program: Program,
  before: Partner,
  asked: Asked,
  writes: readonly Write[],
): Promise<Partner> {
  const after: Partner = {
    ...before,
    ...asked,
    // If a person applies again, the application stays in the queue or list in which it was.
    application: { ...asked.application, isQueued: before.application?.isQueued },
    status: 'applied',
    rejectionReason: undefined,
    rejectedAt: undefined,
  };
  await deps.table.transact(
    mergedWrites([
      changedStatusWrite(before, after),
      ...(await applicationWrites(deps, program, after)),
      ...stepAudit(deps, program, before, after),
      ...writes,
    ]),
  );
  return after;
}

/** Adds a person whom the program does not know yet. */
async function join(
  deps: Deps,
  program: Program,
  account: Account,
  { acceptedTerms, application }: Asked,
  { isOpen: isForAll, network }: Pick<JoinRequest, 'network'> & { readonly isOpen: boolean },
): Promise<Partner> {
  const { table, now } = deps;
  const { email } = account;
  const known = await findPartnerByEmail(table, program.workspaceId, email);
  const { isQueued, writes } = await placeApplication(deps, program, account, network);
  const isOpen = isForAll && !isQueued;
  const status = isOpen ? 'active' : 'applied';
  checkRoom(program, status);
  const at = now.toISOString();
  const { partner, writes: ofLink } = await withFirstLink<AddressedPartner>(deps, program, {
    id: known?.id ?? (await nextNumber(table, 'partner')),
    programId: program.id,
    name: known?.name ?? account.name,
    email,
    status,
    links: [],
    accountId: account.id,
    ...(isOpen && { joinedAt: at }),
    acceptedTerms,
    application: { ...application, ...(isQueued && { isQueued }) },
    createdAt: at,
  });
  await table.transact([
    ...newPartnerWrites(program, partner, known !== undefined),
    ...(await holdWrites(deps, account, { programId: program.id, partnerId: partner.id })),
    ...writes,
    ...ofLink,
    ...(isOpen
      ? await accountWritesOfJoining(deps, program.workspaceId, partner)
      : await applicationWrites(deps, program, partner)),
    ...auditWrites(deps, program.workspaceId, {
      action: 'partner.added',
      target: { type: 'partner', id: partner.id, name: partner.name, programId: program.id },
      // The audit row contains no address, because the row remains after the person has closed the account.
      changes: changesBetween({}, { name: partner.name, status, acceptedTerms }),
    }),
  ]);
  return partner;
}
