import type { OperatorDeps } from '#lib/service/ground/effects/deps.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { hasAddress } from '#lib/service/programs/partners/partner.ts';
import { partnerAtWrite } from '#lib/service/programs/addresses/partners-at-items.ts';
import { partnersAfter } from '#lib/service/programs/partners/partners-items.ts';
import { everyProgram, highestProgramId } from '#lib/service/programs/program/programs-items.ts';

/** The number of writes that fit into one transaction. */
const AT_ONCE = 100;

/**
 * Stores the list of partners by address for programs of a former version, which did not have this list. A partner who
 * is added or changed meanwhile is listed by that change itself. Repeating the command changes nothing.
 * @returns ids of these programs
 */
export async function listPartnersByAddress({ table }: Pick<OperatorDeps, 'table'>): Promise<number[]> {
  const listed: number[] = [];
  for await (const { id, listsAddresses } of everyProgram(table, await highestProgramId(table))) {
    if (listsAddresses) continue;
    let after: string | undefined;
    do {
      const partners = await partnersAfter(table, id, after, AT_ONCE);
      const writes = partners.filter(hasAddress).map(partnerAtWrite);
      if (writes.length > 0) await table.transact(writes);
      after = partners.at(-1)?.sk;
    } while (after !== undefined);
    // The mark that the list is complete is stored last, so that an interrupted command starts this list again.
    await table.update(keys.program(id), { set: { listsAddresses: true } });
    listed.push(id);
  }
  return listed;
}
