import { isDue, unsettledAt } from '#lib/domain/unsettled-commission.ts';
import type { Deps } from '#lib/service/deps.ts';
import type { PartnerPointer } from '#lib/service/store/partner-accounts.ts';
import { findProgram } from '#lib/service/store/programs.ts';
import { unsettledCommissionsOfPartner } from '#lib/service/store/unsettled-commissions.ts';

/** Programs that are looked at together: most people are partners of fewer. */
const LOOKED_AT_ONCE = 10;

/** Whether a payout could pay one of these partners anything now. By the index, which may lag a moment behind. */
export async function isAnythingDue(deps: Deps, partners: readonly PartnerPointer[]): Promise<boolean> {
  for (let at = 0; at < partners.length; at += LOOKED_AT_ONCE) {
    const some = partners.slice(at, at + LOOKED_AT_ONCE);
    if ((await Promise.all(some.map((partner) => isOwedAnything(deps, partner)))).includes(true)) return true;
  }
  return false;
}

async function isOwedAnything({ table, now }: Deps, { programId, partnerId }: PartnerPointer): Promise<boolean> {
  const [program, unsettled] = await Promise.all([
    findProgram(table, programId),
    unsettledCommissionsOfPartner(table, programId, partnerId),
  ]);
  return program !== undefined && unsettled.some((one) => one.openCents > 0 && isDue(unsettledAt(one, program, now)));
}
