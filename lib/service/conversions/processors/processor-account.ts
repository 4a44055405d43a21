import { withoutAccount } from '#lib/service/programs/program/processor.ts';
import type { ProcessorReport } from '#lib/service/conversions/processors/processor-event.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  findProcessorAccount,
  processorAccountWrite,
  processorLinkWrite,
  refreshFlags,
} from '#lib/service/conversions/processors/processor-accounts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { ConditionFailed, type Write } from '#lib/service/ground/table/writes.ts';
import type { UnprocessedByPlatform } from '#lib/service/conversions/processors/delivery.ts';

type AccountChanged = Extract<ProcessorReport, { kind: 'accountChanged' }>;
type AccountGone = Extract<ProcessorReport, { kind: 'accountGone' }>;

/** Stores what the processor reports about a connected account, such as whether it can take payments. */
export async function refreshAccount(
  { table }: Deps,
  accountId: string | undefined,
  { flags, at }: AccountChanged,
): Promise<UnprocessedByPlatform> {
  if (accountId === undefined) return 'unknown_account';
  try {
    await refreshFlags(table, accountId, flags, at);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return 'unknown_account_or_late';
    throw error;
  }
}

/**
 * Removes the account from its programs after the brand disconnected the platform.
 * @param processed written in the same transaction
 */
export async function forgetAccount(
  { table }: Deps,
  accountId: string | undefined,
  { at }: AccountGone,
  processed: Write,
): Promise<UnprocessedByPlatform> {
  const account = await findProcessorAccount(table, accountId);
  if (!account) return 'unknown_account';
  // The event reports a disconnection that happened before the brand connected the platform again. Times of events are
  // whole seconds.
  if (at.getTime() < Math.floor(Date.parse(account.flagsAt) / 1000) * 1000) return 'late';
  const programs = await Promise.all(account.programIds.map((id) => findProgram(table, id)));
  await table.transact([
    processorAccountWrite(account, { ...account, programIds: [] }),
    ...programs.flatMap((program) =>
      program?.processor ? [processorLinkWrite(program, withoutAccount(program.processor))] : [],
    ),
    processed,
  ]);
  return undefined;
}
