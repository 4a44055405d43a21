import { type AddressedPartner, hasAddress } from '#lib/service/programs/partners/partner.ts';
import { addressWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartnerByEmail, knownPartnerWrite } from '#lib/service/programs/partners/known-partners-items.ts';
import { partnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { allPartnersOf } from '#lib/service/programs/partners/partners-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { allCodesOf } from '#lib/service/programs/links/codes-items.ts';
import { allLinksOf } from '#lib/service/programs/links/links-items.ts';
import { codeWordWrites, linkWordWrites, partnerWordWrites } from '#lib/service/programs/words/words-items.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Repairs the items by which partners are found by address: when they sign in, in their workspace, and for the
 * comparison with leads.
 */
export async function checkPartners(restored: RestoredProgram): Promise<void> {
  const { deps, program } = restored;
  const partners = (await allPartnersOf(deps.table, program.id)).filter(hasAddress);
  await Promise.all(partners.map((partner) => checkPartner(restored, partner)));
}

async function checkPartner(restored: RestoredProgram, partner: AddressedPartner): Promise<void> {
  const { deps, program, unrepaired } = restored;
  const { id, email } = partner;
  const name = `partner ${id} of program ${program.id}`;
  const address = addressWrite(partner);
  const at = partnerAtWrite(partner);
  const [listed, listedAt, known] = await Promise.all([
    deps.table.get(address.key),
    deps.table.get(at.key),
    findPartnerByEmail(deps.table, program.workspaceId, email),
  ]);
  if (partner.accountId === undefined && !listed) await repair(restored, `${name}: its address`, [address]);
  if (program.listsAddresses && !listedAt) await repair(restored, `${name}: its place for leads`, [at]);
  if (known && known.id !== id) unrepaired.push(`${name}: its address is that of partner ${known.id}`);
  else if (!known?.programIds.has(program.id)) {
    await repair(restored, `${name}: its place in the workspace`, [knownPartnerWrite(program, partner, known)]);
  }
}

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
