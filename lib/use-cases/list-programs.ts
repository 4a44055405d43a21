import type { Page, PageRequest } from '#lib/domain/paging.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Deps } from '#lib/deps.ts';
import { programsOf } from '#lib/store/programs.ts';

/** Programs of a workspace, oldest first. */
export const listPrograms = ({ table }: Deps, workspaceId: number, page: PageRequest): Promise<Page<Program>> =>
  programsOf(table, workspaceId, page);

const MOST_A_PAGE = 100;

/** Every program of a workspace, oldest first. */
export async function listAllPrograms(deps: Deps, workspaceId: number): Promise<Program[]> {
  const programs: Program[] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = await listPrograms(deps, workspaceId, { most: MOST_A_PAGE, after });
    programs.push(...page.items);
    after = page.next;
  }
  return programs;
}
