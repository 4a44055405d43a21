import { type Group, groupWithId } from '#lib/service/programs/terms/agreements.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';

/** Groups of a program, oldest first. */
export async function listGroups(
  { table }: Deps,
  programId: number,
  { most, after = '0' }: PageRequest,
): Promise<Page<Group>> {
  const { groups } = await findAgreements(table, programId);
  const following = groups.filter(({ id }) => id > Number(after));
  const items = following.slice(0, most);
  return { items, next: following.length > most ? String(items.at(-1)!.id) : undefined };
}

/** A group of a program. @param groupId undefined when the sent value cannot be an id @throws Refusal */
export const groupOf = async ({ table }: Deps, programId: number, groupId: number | undefined): Promise<Group> =>
  groupWithId(await findAgreements(table, programId), groupId);
