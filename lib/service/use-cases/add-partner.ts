import { changesBetween } from '#lib/domain/audit.ts';
import type { Partner } from '#lib/domain/partner.ts';
import { MOST_PARTNERS } from '#lib/domain/program.ts';
import { partnerAlreadyInProgram, partnersFull, programNotFound, programPaused } from '#lib/domain/refusals.ts';
import type { Deps } from '#lib/service/deps.ts';
import { findPartner, findPartnerByEmail, newPartnerWrites } from '#lib/service/store/partners.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { nextNumber } from '#lib/service/store/sequence.ts';
import { auditWrites } from '#lib/service/use-cases/audit-writes.ts';
import { retryOnConflict } from '#lib/service/use-cases/retry-on-conflict.ts';

/**
 * Adds a partner to a program. A person known to the workspace by this e-mail keeps id and name.
 * @param wanted e-mail trimmed and lower-cased
 * @throws Refusal when the partner is in the program already, removed or not, or the program is paused or full
 */
export const addPartner = (deps: Deps, programId: number, wanted: Pick<Partner, 'name' | 'email'>): Promise<Partner> =>
  retryOnConflict(deps, async () => {
    const { table, now } = deps;
    const program = await findProgram(table, programId);
    if (!program) throw programNotFound();
    const known = await findPartnerByEmail(table, program.workspaceId, wanted.email);
    if (known && (await findPartner(table, programId, known.id))) throw partnerAlreadyInProgram();
    if (program.status === 'paused') throw programPaused();
    if (program.partnerCount >= MOST_PARTNERS) throw partnersFull(MOST_PARTNERS);
    const partner: Partner = {
      id: known?.id ?? (await nextNumber(table, 'partner')),
      programId,
      name: known?.name ?? wanted.name,
      email: wanted.email,
      status: 'active',
      links: [],
      createdAt: now.toISOString(),
    };
    const { id, name, email } = partner;
    await table.transact([
      ...newPartnerWrites(program, partner, known !== undefined),
      ...auditWrites(deps, program.workspaceId, {
        action: 'partner.added',
        target: { type: 'partner', id, name, programId },
        changes: changesBetween({}, { name, email }),
      }),
    ]);
    return partner;
  });
