import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { newCodeWrites } from '#lib/service/programs/links/create-code.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes that give an active partner the code that the brand wished for them. If the code was given away meanwhile, or
 * is theirs already, there is nothing to write. Race: of two partners who get a code at the same moment, the loser
 * decides again, without it.
 * @param partner as the transaction will store it
 */
export async function wishedCodeWrites(
  deps: Pick<Deps, 'table' | 'actor' | 'now' | 'random'>,
  program: Program,
  { id: partnerId, status, wishedCode }: Partner,
): Promise<Write[]> {
  if (wishedCode === undefined || status !== 'active') return [];
  return (await findCode(deps.table, program.id, wishedCode))
    ? []
    : newCodeWrites(deps, program, { code: wishedCode, partnerId });
}
