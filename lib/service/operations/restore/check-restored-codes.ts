import { customerOfCode, movedByCode } from '#lib/service/traffic/customers/customer.ts';
import { everyCode, findCodeByProcessorId, processorCodeWrite } from '#lib/service/programs/links/codes-items.ts';
import { customerPartnerListing, findRecordedCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';

/**
 * Repairs the customer of a sale if the sale's coupon code created the customer or moved it to another partner. The
 * result is the customer as it was after this step, but before the sale changed its status to `conversion`.
 */
export async function checkCustomerOfCode(restored: RestoredProgram, transactionId: string): Promise<void> {
  const { deps, program } = restored;
  const sale = await findSale(deps.table, transactionId);
  const { clickId, customerKey, partnerId, resolvedBy, identifier: code } = sale?.attribution ?? {};
  if (!sale || sale.programId !== program.id || resolvedBy !== 'code') return;
  if (clickId === undefined || partnerId === undefined || code === undefined) return;
  const customer = await findRecordedCustomer(deps.table, clickId);
  if (customer?.code !== undefined || customer?.erasedAt !== undefined) return;
  const key = keys.customer(clickId);
  const what = `sale ${transactionId}: its customer, whom a code brought`;
  if (customer) {
    const moved = movedByCode(customer, { code, partnerId });
    const set = { code, partnerId, formerPartnerId: moved.formerPartnerId, ...customerPartnerListing(moved) };
    return repair(restored, what, [{ name: 'customer', key, change: { set }, condition: { exists: true } }]);
  }
  const newcomer = { id: sale.id, clickId, customerKey, firstClickAt: sale.occurredAt };
  const put = customerOfCode({ code, programId: program.id, partnerId }, newcomer);
  return repair(restored, what, [{ name: 'customer', key, put, condition: { isNew: true } }]);
}

/** Repairs the items that map the processor's code ids to the program's codes. */
export async function checkCodes(restored: RestoredProgram): Promise<void> {
  const { deps, program, unrepaired } = restored;
  for await (const { code, processorCodeId } of everyCode(deps.table, program.id)) {
    if (processorCodeId === undefined) continue;
    const holder = await findCodeByProcessorId(deps.table, program.id, processorCodeId);
    if (holder?.code === code) continue;
    if (holder) unrepaired.push(`code ${code}: ${processorCodeId} belongs to code ${holder.code}`);
    else {
      await repair(restored, `code ${code}: its id at the processor`, [
        processorCodeWrite(program.id, processorCodeId, code),
      ]);
    }
  }
}
