import { type AddressedPartner, hasAddress } from '#lib/service/programs/partners/partner.ts';
import { addressWrite } from '#lib/service/people/accounts/partner-accounts-items.ts';
import { findPartnerByEmail, knownPartnerWrite } from '#lib/service/programs/partners/known-partners-items.ts';
import { partnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { allPartnersOf } from '#lib/service/programs/partners/partners-items.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/** Repairs the items by which partners are found by address: at their sign-in, in the workspace, and for leads. */
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
