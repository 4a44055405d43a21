import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { retryOnConflict } from '#lib/service/ground/table/retry-on-conflict.ts';
import { allCodesOf } from '#lib/service/programs/links/codes-items.ts';
import { allLinksOf } from '#lib/service/programs/links/links-items.ts';
import { findPartner, partnersAfter } from '#lib/service/programs/partners/partners-items.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { everyProgram, highestProgramId } from '#lib/service/programs/program/programs-items.ts';
import { codeWordWrites, linkWordWrites, partnerWordWrites } from '#lib/service/programs/words/words-items.ts';

type ListDeps = Pick<OperatorDeps, 'table'>;

/** Partners per page, and writes per transaction. */
const AT_ONCE = 100;

/**
 * Lists partners, links and codes by their words, for programs of a former version, which did not have this list. What
 * is added or changed in the meantime is listed by that change itself. Repeating the command changes nothing.
 * @returns ids of these programs
 */
export async function listWords(deps: ListDeps): Promise<number[]> {
  const { table } = deps;
  const listed: number[] = [];
  for await (const program of everyProgram(table, await highestProgramId(table))) {
    if (program.listsWords) continue;
    await listPartners(deps, program);
    const links = await allLinksOf(table, program.id);
    const codes = await allCodesOf(table, program.id);
    const writes = [...links.flatMap((link) => linkWordWrites(program.id, link)), ...codes.flatMap(codeWordWrites)];
    for (let at = 0; at < writes.length; at += AT_ONCE) await table.transact(writes.slice(at, at + AT_ONCE));
    // The program is marked as complete only now, so that after an interruption the command lists all of its words
    // again.
    await table.update(keys.program(program.id), { set: { listsWords: true } });
    listed.push(program.id);
  }
  return listed;
}

async function listPartners(deps: ListDeps, program: Program): Promise<void> {
  let after: string | undefined;
  do {
    const partners = await partnersAfter(deps.table, program.id, after, AT_ONCE);
    await Promise.all(partners.map(({ id }) => listPartner(deps, program, id)));
    after = partners.at(-1)?.sk;
  } while (after !== undefined);
}

const listPartner = (deps: ListDeps, { id: programId, workspaceId }: Program, partnerId: number): Promise<void> =>
  retryOnConflict(deps, async () => {
    const { table } = deps;
    const partner = await findPartner(table, programId, partnerId);
    if (!partner) return;
    const { name, email } = partner;
    await table.transact([
      ...partnerWordWrites(workspaceId, partner),
      // Fails if the partner was renamed or closed the account in the meantime. This request then reloads, so that no
      // former word is listed again.
      { name: 'partner', key: keys.partner(programId, partnerId), check: true, condition: { equals: { name, email } } },
    ]);
  });
