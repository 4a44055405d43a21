import { dayOf } from '#lib/service/ground/values/day.ts';
import { type LoginKind, tokenEnd } from '#lib/service/ground/addresses/login-token.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { noWorkspace, programNotFound, unauthorized } from '#lib/service/ground/values/refusals.ts';
import { roleOf } from '#lib/service/people/workspaces/workspace.ts';
import { findAccount, recordTokenUse } from '#lib/service/people/accounts/accounts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import type { Account } from '#lib/service/ground/addresses/account.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { MemberRole, Workspace } from '#lib/service/people/workspaces/workspace.ts';
import { recordUse } from '#lib/service/http/callers/record-use.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';

/** The account of a login token, with what the request is about. */
export interface AccountCaller {
  readonly account: Account;
  readonly token: string;
  /** Where the token is used: in a terminal or on the pages. */
  readonly kind: LoginKind;
  /** When the token expires if it is not used again. */
  readonly tokenExpiresAt: string;
  /** When the person signed in with the issuer. */
  readonly signedInAt: string;
}

export interface MemberCaller extends AccountCaller {
  readonly workspace: Workspace;
  readonly role: MemberRole;
}

export interface ProgramCaller extends MemberCaller {
  /** The program in the path, which belongs to the caller's workspace. */
  readonly program: Program;
}

/** Messages for a login token that is missing, unknown or expired, or whose account does not exist. */
export type LoginTexts = Readonly<Record<'missing' | 'unknown' | 'accountGone', string>>;

/**
 * The account of the request's login token.
 * @throws Refusal 401 if there is no token, if it is no valid login token, or if there is no account
 */
export async function accountCaller(call: RequestContext, texts: LoginTexts): Promise<AccountCaller> {
  const { authorization, deps } = call;
  if (authorization.scheme === 'malformed' || authorization.token === '') throw unauthorized(texts.missing);
  const credential = await call.credential;
  if (credential?.class !== 'loginToken') throw unauthorized(texts.unknown);
  const account = await findAccount(deps.table, credential.accountId);
  if (!account) throw unauthorized(texts.accountGone);
  const { kind, createdAt, signedInAt } = credential;
  const lastUsedOn = dayOf(deps.now);
  const end = tokenEnd(kind, new Date(createdAt), lastUsedOn);
  recordUse(call, credential.lastUsedOn, lastUsedOn, (table, hash) => recordTokenUse(table, hash, { lastUsedOn, end }));
  if (account.suspendedAt) throw unauthorized(texts.unknown);
  return { account, token: authorization.token, kind, tokenExpiresAt: end.toISOString(), signedInAt };
}

/** The account of the login token, with its workspace. @throws Refusal 401, or 403 for an account without workspace */
export const memberCaller = async (call: RequestContext, texts: LoginTexts): Promise<MemberCaller> =>
  memberOf(call, await accountCaller(call, texts));

/**
 * The account of the request's login token, with the program in the path.
 * @throws Refusal 401, 403, or 404 for a program of another workspace
 */
export async function programCaller(call: RequestContext, texts: LoginTexts): Promise<ProgramCaller> {
  const { table, logContext } = call.deps;
  const account = await accountCaller(call, texts);
  const programId = numericIdOf(call.event.pathParameters?.id);
  const [caller, program] = await Promise.all([
    memberOf(call, account),
    programId === undefined ? undefined : findProgram(table, programId),
  ]);
  if (program?.workspaceId !== caller.workspace.id) throw programNotFound();
  logContext.programId = program.id;
  return { ...caller, program };
}

/** The membership is read again for every request, so that a removed member loses access immediately. */
async function memberOf({ deps }: RequestContext, caller: AccountCaller): Promise<MemberCaller> {
  const { id, workspaceId } = caller.account;
  const workspace = workspaceId === undefined ? undefined : await findWorkspace(deps.table, workspaceId);
  const role = workspace && roleOf(workspace, id);
  if (!workspace || !role) throw noWorkspace();
  return { ...caller, workspace, role };
}
