import { changesBetween } from '#lib/service/ground/changes/audit.ts';
import {
  type ProcessorAccount,
  type ProcessorLink,
  processorModeOf,
  withSigningSecret,
} from '#lib/service/programs/program/processor.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findProcessorAccount,
  processorAccountWrite,
  processorLinkWrite,
} from '#lib/service/conversions/processors/processor-accounts-items.ts';
import { type LastDelivery, lastDeliveryOf } from '#lib/service/conversions/processors/deliveries-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';

/** How a program is currently connected to the card processor. */
export interface ProcessorConnection {
  readonly programId: number;
  readonly link?: ProcessorLink;
  readonly account?: ProcessorAccount;
  readonly lastDelivery?: LastDelivery;
}

interface Disconnected extends ProcessorConnection {
  /** Whether the processor has disconnected the platform; undefined if no disconnection was requested. */
  readonly deauthorized?: boolean;
}

export async function processorConnectionOf({ table }: Deps, { id, processor }: Program): Promise<ProcessorConnection> {
  const [account, lastDelivery] = await Promise.all([
    findProcessorAccount(table, processor?.accountId),
    lastDeliveryOf(table, id),
  ]);
  return { programId: id, link: processor, account, lastDelivery };
}

const NOT_CONNECTED = { mode: undefined, accountId: undefined };

/** Sets a new signing secret for the program's own endpoint. The former one stays valid for another day. */
export const setSigningSecret = (deps: Deps, programId: number, sealed: string): Promise<ProcessorConnection> =>
  changed(deps, programId, async (program) => [
    processorLinkWrite(program, withSigningSecret(program.processor, sealed, deps.now)),
    ...auditWrites(deps, program.workspaceId, {
      action: 'processor.secret_set',
      target: { type: 'program', id: programId, name: program.name, programId },
    }),
  ]);

/**
 * Removes the program's account and its signing secrets, so that the processor's events for the program are refused. If
 * no other program uses the account, the platform's access to it is revoked too.
 * @param deauthorize revokes the platform's access at the processor; if the call fails, the removal here remains
 */
export async function disconnect(
  deps: Deps,
  programId: number,
  deauthorize: (accountId: string) => Promise<boolean>,
): Promise<Disconnected> {
  let leftBehind: string | undefined;
  const connection = await changed(deps, programId, async (program) => {
    const account = await findProcessorAccount(deps.table, program.processor?.accountId);
    const isLast = account?.programIds.every((id) => id === programId);
    leftBehind = isLast ? account?.accountId : undefined;
    return program.processor
      ? [
          processorLinkWrite(program, undefined),
          ...(await leftAccountWrites(deps, program)),
          ...auditWrites(deps, program.workspaceId, {
            action: 'processor.disconnected',
            target: { type: 'program', id: programId, name: program.name, programId },
            changes: changesBetween({ ...program.processor, mode: processorModeOf(program.processor) }, NOT_CONNECTED),
          }),
        ]
      : [];
  });
  return { ...connection, ...(leftBehind !== undefined && { deauthorized: await deauthorize(leftBehind) }) };
}

/** Writes that remove a program from its account. */
export async function leftAccountWrites({ table }: Deps, { id, processor }: Program): Promise<Write[]> {
  const account = await findProcessorAccount(table, processor?.accountId);
  if (!account) return [];
  return [processorAccountWrite(account, { ...account, programIds: account.programIds.filter((each) => each !== id) })];
}

async function changed(
  deps: Deps,
  programId: number,
  writesOf: (program: Program) => Promise<Write[]>,
): Promise<ProcessorConnection> {
  const { table } = deps;
  await retryOnConflict(deps, async () => {
    const writes = await writesOf(await existing(deps, programId));
    if (writes.length > 0) await table.transact(writes);
  });
  table.forget();
  return processorConnectionOf(deps, await existing(deps, programId));
}

async function existing({ table }: Deps, programId: number): Promise<Program> {
  const program = await findProgram(table, programId);
  if (!program) throw new Error(`Program ${programId} does not exist, though its caller does`);
  return program;
}
