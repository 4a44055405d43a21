import { type Code, codeName } from '#lib/service/programs/links/code.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { codesOf, codesOfPartner } from '#lib/service/programs/links/codes-items.ts';
import { findCounter } from '#lib/service/ground/counters/counters-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';

export interface CountedCode {
  readonly code: Code;
  readonly partner?: Partner;
  /** The number of payments with this code. */
  readonly redemptions: number;
  /** How many of the code's payments were attributed to its partner because of the code. */
  readonly sales: number;
}

/** Codes of a program, oldest first, each with its partner and how often it was used. */
export async function listCodes(
  deps: Deps,
  programId: number,
  filter: { readonly partnerId?: number },
  page: PageRequest,
): Promise<Page<CountedCode>> {
  const { items, next } = await codesOf(deps.table, programId, filter, page);
  return { items: await Promise.all(items.map((code) => withCodeCounts(deps, code))), next };
}

/** Codes of one partner, oldest first. */
export async function listOwnCodes(
  deps: Deps,
  { programId, id }: Pick<Partner, 'programId' | 'id'>,
  page: PageRequest,
): Promise<Page<CountedCode>> {
  const { items, next } = await codesOfPartner(deps.table, programId, id, page);
  return { items: await Promise.all(items.map((code) => withCodeCounts(deps, code))), next };
}

export async function withCodeCounts({ table }: Pick<Deps, 'table'>, code: Code): Promise<CountedCode> {
  const { programId, partnerId } = code;
  const [partner, { counts }] = await Promise.all([
    findPartner(table, programId, partnerId),
    findCounter(table, { of: 'code', programId, code: codeName(code.code) }),
  ]);
  return { code, partner, redemptions: counts.redemptions ?? 0, sales: counts.sales ?? 0 };
}
