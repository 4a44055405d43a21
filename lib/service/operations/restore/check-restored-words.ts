import type { Write } from '#lib/service/ground/table/writes.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';
import { allCodesOf } from '#lib/service/programs/links/codes-items.ts';
import { allLinksOf } from '#lib/service/programs/links/links-items.ts';
import { allPartnersOf } from '#lib/service/programs/partners/partners-items.ts';
import { codeWordWrites, linkWordWrites, partnerWordWrites } from '#lib/service/programs/words/words-items.ts';

/** Repairs the entries by which a search finds partners, links and codes. */
export async function checkWords(restored: RestoredProgram): Promise<void> {
  const { deps, program } = restored;
  const { table } = deps;
  if (!program.listsWords) return;
  const partners = await allPartnersOf(table, program.id);
  const links = await allLinksOf(table, program.id);
  const codes = await allCodesOf(table, program.id);
  const rows: readonly (readonly [string, Write[]])[] = [
    ...partners.map((one) => [`partner ${one.id}`, partnerWordWrites(program.workspaceId, one)] as const),
    ...links.map((one) => [`link ${one.shortLink}`, linkWordWrites(program.id, one)] as const),
    ...codes.map((one) => [`code ${one.code}`, codeWordWrites(one)] as const),
  ];
  await Promise.all(rows.map(([name, writes]) => checkRow(restored, name, writes)));
}

async function checkRow(restored: RestoredProgram, name: string, writes: readonly Write[]): Promise<void> {
  const { deps, program } = restored;
  const listed = await Promise.all(writes.map(({ key }) => deps.table.get(key)));
  const lost = writes.filter((_, index) => listed[index] === undefined);
  if (lost.length > 0) await repair(restored, `${name} of program ${program.id}: its words for the search`, lost);
}
