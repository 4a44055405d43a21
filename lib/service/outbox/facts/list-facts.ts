import { type Fact, isFactId } from '#lib/service/outbox/facts/fact.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { factsBegunAt, type Program } from '#lib/service/programs/program/program.ts';
import { beginFacts } from '#lib/service/programs/program/programs-items.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type FactFilter, factsOfProgram, findFact } from '#lib/service/outbox/facts/facts-items.ts';

interface WantedFacts extends FactFilter {
  /** Restricts the list to the fact with this id. */
  readonly id?: string;
}

export interface FactPage extends Page<Fact> {
  /** The time since which the program's facts are stored, ISO 8601. */
  readonly since: string;
}

/** Facts of a program in the last 30 days, oldest first. The first request for them begins to store them. */
export async function listFacts(
  deps: Deps,
  program: Program,
  wanted: WantedFacts,
  page: PageRequest,
): Promise<FactPage> {
  const { table, now } = deps;
  const begunAt = factsBegunAt(program);
  if (begunAt === undefined) return { items: [], since: await beginFacts(table, program.id, now) };
  return { ...(await storedFacts(deps, program.id, wanted, page)), since: begunAt };
}

async function storedFacts(
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
