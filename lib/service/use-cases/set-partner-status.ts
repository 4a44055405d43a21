import { changesBetween } from '#lib/domain/audit.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { partnerNotFound, programNotFound } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner, partnerStatusWrites } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { MOST_WRITES } from '#lib/service/store/writes.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/** The partner of a program. @param partnerId undefined when what was sent cannot be an id @throws Refusal */
export async function partnerOf({ table }: Deps, programId: number, partnerId: number | undefined): Promise<Partner> {
  const partner = partnerId === undefined ? undefined : await findPartner(table, programId, partnerId);
  if (!partner) throw partnerNotFound();
  return partner;
}

/**
 * Removes a partner from a program, or restores it: its links answer 410 and its customers' sales are refused while it
 * is removed. Repeating an interrupted removal completes it.
 */
export const setPartnerStatus = (
  deps: Deps,
  programId: number,
  partnerId: number,
  status: Partner['status'],
): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const [program, before] = await Promise.all([
      findProgram(deps.table, programId),
      partnerOf(deps, programId, partnerId),
    ]);
    if (!program) throw programNotFound();
    const after = { ...before, status };
    // With the first of them, which change the status itself.
    const writes = [
      ...auditWrites(deps, program.workspaceId, {
        action: 'partner.changed',
        target: { type: 'partner', id: partnerId, name: before.name, programId },
        changes: changesBetween(before, { status }),
      }),
      ...partnerStatusWrites(program, before, after),
    ];
    for (let first = 0; first < writes.length; first += MOST_WRITES) {
      await deps.table.transact(writes.slice(first, first + MOST_WRITES));
    }
    return after;
  });
