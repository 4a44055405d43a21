import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { pendingCommissions } from '#lib/service/ground/counters/counter-readings-items.ts';
import { findProcessorAccount } from '#lib/service/conversions/processors/processor-accounts-items.ts';
import { type Integration, integrationOf } from '#lib/service/reports/figures/integration-of.ts';

export interface ProgramStatus extends Integration {
  /**
   * The number of commissions that are pending now. If the program approves automatically, those whose hold period is
   * over are not included.
   */
  readonly pendingCommissions: number;
  /** Whether the card processor allows the connected account to take payments. */
  readonly chargesEnabled: boolean;
}

/** A program's status summary for the command line. */
export async function statusOf(deps: Deps, programId: number): Promise<ProgramStatus> {
  const [integration, { stored, held }] = await Promise.all([
    integrationOf(deps, programId),
    pendingCommissions(deps.table, programId, deps.now),
  ]);
  const { autoApprove, processor } = integration.facts.program;
  const account = await findProcessorAccount(deps.table, processor?.accountId);
  return {
    ...integration,
    pendingCommissions: autoApprove ? held : stored,
    chargesEnabled: account?.chargesEnabled ?? false,
  };
}
