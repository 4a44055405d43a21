import { findCode } from '#lib/service/programs/links/codes-items.ts';
import { newCodeWrites } from '#lib/service/programs/links/create-code.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/**
 * Writes that give an active partner the code that the brand wants for them. Empty if another partner got the code in
 * the meantime, or this partner already has it. If two partners get the same code at the same moment, the second
 * request decides again, and its partner gets no code.
 * @param partner as the transaction will store it
 */
export async function wishedCodeWrites(
  deps: Pick<Deps, 'table' | 'actor' | 'now' | 'random'>,
  program: Program,
  { id: partnerId, programId, status, wishedCode: code }: Partner,
): Promise<Write[]> {
  if (code === undefined || status !== 'active' || (await findCode(deps.table, programId, code))) return [];
  return newCodeWrites(deps, program, { code, partnerId });
}
