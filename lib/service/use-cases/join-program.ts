import type { Account } from '#lib/domain/account.ts';
import { dayOf } from '#lib/domain/day.ts';
import { type Application, mayApplyFrom, type Partner, partnerStatusAt } from '#lib/domain/partner.ts';
import type { Program } from '#lib/domain/program.ts';
import { hourWindowAt, MOST_APPLICATIONS_AN_HOUR } from '#lib/domain/rate-limits.ts';
import {
  mayApplyLater,
  noApplications,
  partnerEmailTaken,
  partnerHasLeft,
  programNotFound,
  rateLimited,
} from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartnerOfAccount } from '#lib/service/store/partner-accounts.ts';
import { changedStatusWrite, findPartner, findPartnerByEmail, newPartnerWrites } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { countRequest } from '#lib/service/store/rate-windows.ts';
import { nextNumber } from '#lib/service/store/sequence.ts';
import { agreedTo } from '#lib/service/use-cases/accept-terms.ts';
import { checkRoom } from '#lib/service/use-cases/add-partner.ts';
import { becomeActive } from '#lib/service/use-cases/decide-application.ts';
import { matchPartners } from '#lib/service/use-cases/match-partners.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** What a person sends who wants to become a partner. */
export interface JoinRequest extends Pick<Application, 'message' | 'website'> {
  readonly termsVersion?: unknown;
}

/**
 * A person asks to become a partner, or becomes one: at once where the program is open, or has invited them. Repeating it
 * changes nothing.
 * @throws Refusal
 */
export const joinProgram = (deps: Deps, account: Account, programId: number, sent: JoinRequest): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    // The brand may add the person at this moment.
    await matchPartners(deps, account);
    const [program, before] = await Promise.all([
      findProgram(deps.table, programId),
      ownPartner(deps, account, programId),
    ]);
    if (!program) throw programNotFound();
    const status = before && partnerStatusAt(before, deps.now);
    if (before && (status === 'active' || (status === 'applied' && program.join !== 'open'))) return before;
    if (status === 'removed') throw partnerHasLeft();
    const isInvited = status === 'invited';
    if (!isInvited && (program.join ?? 'closed') === 'closed') throw noApplications();
    const from = status === 'rejected' && before ? mayApplyFrom(before) : undefined;
    if (from && deps.now < from) throw mayApplyLater(dayOf(from));
    const agreed = agreedTo(deps, program, sent.termsVersion);
    if (before && isInvited) return becomeActive(deps, program, before, agreed);
    const application = { message: sent.message, website: sent.website, appliedAt: deps.now.toISOString() };
    const asked = { ...agreed, application };
    if (!before) return join(deps, program, account, asked);
    return program.join === 'open'
      ? becomeActive(deps, program, before, asked)
      : applyAgain(deps, program, before, asked);
  });

async function ownPartner({ table }: Deps, { id }: Account, programId: number): Promise<Partner | undefined> {
  const pointer = await findPartnerOfAccount(table, id, programId);
  return pointer && findPartner(table, programId, pointer.partnerId);
}

type Asked = Pick<Partner, 'acceptedTerms' | 'application'>;

async function applyAgain(deps: Deps, program: Program, before: Partner, asked: Asked): Promise<Partner> {
  await countApplication(deps, program);
  const after: Partner = {
    ...before,
    ...asked,
    status: 'applied',
    rejectionReason: undefined,
    rejectedAt: undefined,
  };
  await deps.table.transact([changedStatusWrite(before, after)]);
  return after;
}

/** A person whom the program does not know yet. */
async function join(deps: Deps, program: Program, account: Account, asked: Asked): Promise<Partner> {
  const { table, now } = deps;
  const { email } = account;
  const known = await findPartnerByEmail(table, program.workspaceId, email);
  // The address is that of another account, which had it before.
  if (known && (await findPartner(table, program.id, known.id))) throw partnerEmailTaken();
  const isOpen = program.join === 'open';
  const status = isOpen ? 'active' : 'applied';
  checkRoom(program, status);
  await countApplication(deps, program);
  const at = now.toISOString();
  const partner: Partner = {
    id: known?.id ?? (await nextNumber(table, 'partner')),
    programId: program.id,
    name: known?.name ?? account.name,
    email,
    status,
    links: [],
    accountId: account.id,
    ...(isOpen && { joinedAt: at }),
    ...asked,
    createdAt: at,
  };
  await table.transact(newPartnerWrites(program, partner, known !== undefined));
  return partner;
}

/** @throws Refusal when the program had too many in this hour */
async function countApplication({ table, now }: Deps, { id }: Program): Promise<void> {
  const hour = hourWindowAt(now);
  const count = await countRequest(table, 'application', String(id), hour);
  if (count > MOST_APPLICATIONS_AN_HOUR) throw rateLimited(hour.retryAfterSeconds);
}
