import { actorOf, changesBetween } from '#lib/service/ground/changes/audit.ts';
import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import { type ProcessorAccount, withAccount } from '#lib/service/programs/program/processor.ts';
import { connectNotConfigured } from '#lib/service/ground/values/refusals.ts';
import { roleOf } from '#lib/service/people/workspaces/workspace.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import { findCredentialByHash } from '#lib/service/people/accounts/credentials-items.ts';
import {
  type ConnectAttempt,
  endConnect,
  findConnect,
  findProcessorAccount,
  processorAccountWrite,
  processorLinkWrite,
  startConnect,
} from '#lib/service/conversions/processors/processor-accounts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { ConditionFailed } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { leftAccountWrites } from '#lib/service/conversions/processors/processor-connection.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/**
 * Starts connecting a program on the processor's own pages.
 * @param urlOf returns the processor's URL for a state; undefined if the installation has no platform account
 * @throws Refusal if the installation has no platform account
 */
export async function beginConnect(
  deps: Deps,
  { token, ...who }: { readonly accountId: number; readonly programId: number; readonly token: string },
  urlOf: (state: string) => Promise<string | undefined>,
): Promise<{ readonly url: string; readonly state: string }> {
  const state = deps.random.connectState();
  const url = await urlOf(state);
  if (url === undefined) throw connectNotConfigured();
  await startConnect(deps.table, state, { ...who, tokenHash: sha256(token) }, deps.now);
  return { url, state };
}

/** The processor's redirect after the owner's decision: its query parameters, and the browser's cookie. */
export interface ConnectReturn {
  readonly state?: string;
  readonly cookie?: string;
  readonly code?: string;
  /** The user declined on the processor's page. */
  readonly isDenied: boolean;
}

export interface ConnectOutcome {
  /** The program that is being connected. Undefined if no attempt to connect belongs to the redirect. */
  readonly programId?: number;
  readonly problem?: 'denied' | 'invalid_state' | 'account_in_use' | 'exchange_failed';
}

type Account = Omit<ProcessorAccount, 'workspaceId' | 'programIds' | 'flagsAt'>;

/**
 * Completes the connection. Only the browser that started it may do so, and the user must still be an owner and signed
 * in with the same login token. The `state` parameter is accepted only once.
 */
export async function completeConnect(
  deps: Deps,
  { state, cookie, code, isDenied }: ConnectReturn,
  exchange: (code: string) => Promise<Account | undefined>,
): Promise<ConnectOutcome> {
  const { table } = deps;
  // Only the browser that started the connection may use the state; another browser must not make it invalid.
  const attempt = state && state === cookie ? await findConnect(table, state) : undefined;
  if (!state || !attempt) return { problem: 'invalid_state' };
  const { programId } = attempt;
  deps.logContext.programId = programId;
  try {
    await endConnect(table, state);
  } catch (error) {
    if (error instanceof ConditionFailed) return { problem: 'invalid_state' };
    throw error;
  }
  const owner = await stillOwner(deps, attempt);
  if (!owner) return { programId, problem: 'invalid_state' };
  if (isDenied) return { programId, problem: 'denied' };
  const account = code ? await exchange(code) : undefined;
  if (!account) return { programId, problem: 'exchange_failed' };
  return retryOnConflict(deps, () => connect({ ...deps, actor: actorOf(owner) }, programId, account));
}

/** The user who started the connection, if they are still signed in and an owner. */
async function stillOwner({ table }: Deps, { accountId, programId, tokenHash }: ConnectAttempt) {
  const [credential, account, program] = await Promise.all([
    findCredentialByHash(table, tokenHash),
    findAccount(table, accountId),
    findProgram(table, programId),
  ]);
  if (credential?.class !== 'loginToken' || !account || account.suspendedAt || !program) return undefined;
  const workspace = await findWorkspace(table, program.workspaceId);
  return workspace && roleOf(workspace, accountId) === 'owner' ? account : undefined;
}

async function connect(deps: Deps, programId: number, account: Account): Promise<ConnectOutcome> {
  const { table, now } = deps;
  const { accountId } = account;
  const [program, existing] = await Promise.all([
    findProgram(table, programId),
    findProcessorAccount(table, accountId),
  ]);
  if (!program) throw new Error(`Program ${programId} does not exist, though its owner does`);
  if (existing && existing.workspaceId !== program.workspaceId) return { programId, problem: 'account_in_use' };
  const after: ProcessorAccount = {
    ...account,
    workspaceId: program.workspaceId,
    programIds: [...new Set([...(existing?.programIds ?? []), programId])],
    flagsAt: now.toISOString(),
  };
  const isMoved = program.processor?.accountId !== accountId;
  await table.transact([
    processorAccountWrite(existing, after),
    processorLinkWrite(program, withAccount(program.processor, accountId, now)),
    ...(isMoved ? await leftAccountWrites(deps, program) : []),
    ...auditWrites(deps, program.workspaceId, {
      action: 'processor.connected',
      target: { type: 'program', id: programId, name: program.name, programId },
      changes: changesBetween(program.processor ?? {}, { accountId }),
    }),
  ]);
  return { programId };
}
