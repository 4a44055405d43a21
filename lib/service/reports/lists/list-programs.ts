import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { placeOf, programsOf } from '#lib/service/programs/program/programs-items.ts';
import { type KeyedProgram, withKey } from '#lib/service/programs/keys/key-in-force.ts';

/**
 * How many characters of partner terms a page may contain. The size of a reply is limited, and a character may take six
 * bytes.
 */
const MOST_CHARACTERS = 600_000;

/**
 * Programs of a workspace with their keys, oldest first. Programs and keys are read together. If partner terms are
 * long, a page has fewer programs.
 */
export async function listKeyedPrograms(
  deps: Deps,
  workspaceId: number,
  page: PageRequest,
): Promise<Page<KeyedProgram>> {
  const { items, next } = await programsOf(deps.table, workspaceId, page);
  const keyed = await Promise.all(items.map((program) => withKey(deps, program)));
  let characters = 0;
  const tooLong = keyed.findIndex(({ partnerTerms }) => (characters += partnerTerms?.length ?? 0) > MOST_CHARACTERS);
  if (tooLong === -1) return { items: keyed, next };
  return { items: keyed.slice(0, tooLong), next: placeOf(items[tooLong - 1]!) };
}

const MOST_A_PAGE = 100;

/** All programs of a workspace, oldest first. */
export async function listAllPrograms(deps: Deps, workspaceId: number): Promise<Program[]> {
  const programs: Program[] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await programsOf(deps.table, workspaceId, { most: MOST_A_PAGE, after });
    programs.push(...page.items);
    after = page.next;
  }
  return programs;
}
