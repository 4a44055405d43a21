import { type Fact, isFactId } from '#lib/service/outbox/facts/fact.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type FactFilter, factsOfProgram, findFact } from '#lib/service/outbox/facts/facts-items.ts';

interface WantedFacts extends FactFilter {
  /** Only the fact with this id. */
  readonly id?: string;
}

/** Facts of a program in the last 30 days, oldest first. */
export async function listFacts(
  { table, now }: Deps,
  programId: number,
  { id, ...filter }: WantedFacts,
  page: PageRequest,
): Promise<Page<Fact>> {
  if (id === undefined) return factsOfProgram(table, programId, filter, page, now);
  const fact = isFactId(id) ? await findFact(table, programId, id) : undefined;
  const { type = fact?.type, since = fact?.timestamp ?? '' } = filter;
  return { items: fact && fact.type === type && fact.timestamp >= since ? [fact] : [] };
}
