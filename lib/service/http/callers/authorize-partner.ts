import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { ownStatusAt, type Partner, termsToAccept } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import {
  notYetPartner,
  partnerHasLeft,
  programNotFound,
  signInOnPage,
  termsNotAccepted,
  viewIsReadOnly,
} from '#lib/service/ground/values/refusals.ts';
import { roleOf } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findPartnerOfAccount } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { type AccountCaller, accountCaller, type LoginTexts } from '#lib/service/http/callers/authorize.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/** A partner of the program in the path, or an owner of the program who views it as that partner. */
export interface PartnerCaller extends AccountCaller {
  readonly program: Program;
  readonly partner: Partner;
  /** Set if the caller is an owner who views the program as this partner. Such a caller may only read. */
  readonly isOwnersView: boolean;
}

/** The partner as whom an owner wants to view the program. */
const viewedPartner = ({ event }: RequestContext): string | undefined => event.queryStringParameters?.as;

/**
 * The account of a person who is signed in on a page.
 * @throws Refusal 401; 403 for a terminal's token; 403 for an owner's attempt to change something in a partner's view
 */
export async function portalCaller(call: RequestContext, texts: LoginTexts): Promise<AccountCaller> {
  const caller = await accountCaller(call, texts);
  // Terminals are refused, because the CLI has no commands for the portal.
  if (caller.kind === 'cli') throw signInOnPage();
  if (viewedPartner(call) !== undefined && call.event.requestContext.http.method !== 'GET') throw viewIsReadOnly();
  return caller;
}

/**
 * The partner who sends the request, or an owner who views the program as this partner.
 * @throws Refusal 401, 403, or 404 when the account is not a partner of the program, or was rejected
 */
export async function partnerCaller(call: RequestContext, texts: LoginTexts): Promise<PartnerCaller> {
  const { deps, event } = call;
  const caller = await portalCaller(call, texts);
  const programId = numericIdOf(event.pathParameters?.id);
  if (programId === undefined) throw programNotFound();
  const as = viewedPartner(call);
  const [program, partner] = await Promise.all([
    findProgram(deps.table, programId),
    as === undefined
      ? partnerOfAccount(deps, programId, caller.account.id)
      : partnerOfOwner(deps, programId, caller.account.id, numericIdOf(as)),
  ]);
  if (!program || !partner) throw programNotFound();
  deps.logContext.programId = programId;
  return { ...caller, program, partner, isOwnersView: as !== undefined };
}

async function partnerOfAccount({ table }: Deps, programId: number, accountId: number): Promise<Partner | undefined> {
  const pointer = await findPartnerOfAccount(table, accountId, programId);
  const partner = pointer && (await findPartner(table, programId, pointer.partnerId));
  return partner?.accountId === accountId && partner.status !== 'rejected' ? partner : undefined;
}

async function partnerOfOwner(
  { table }: Deps,
  programId: number,
  accountId: number,
  partnerId: number | undefined,
): Promise<Partner | undefined> {
  if (partnerId === undefined) return undefined;
  const [program, partner] = await Promise.all([
    findProgram(table, programId),
    findPartner(table, programId, partnerId),
  ]);
  const workspace = program && (await findWorkspace(table, program.workspaceId));
  return workspace && roleOf(workspace, accountId) === 'owner' ? partner : undefined;
}

/** Checks that the program and the partner's status permit changes. @throws Refusal when they do not */
export function checkMayChange({ program, partner }: Pick<PartnerCaller, 'program' | 'partner'>, now: Date): void {
  const status = ownStatusAt(partner, now);
  if (status === 'removed') throw partnerHasLeft();
  if (status !== 'active') throw notYetPartner();
  if (termsToAccept(program, partner) !== undefined) throw termsNotAccepted();
}
