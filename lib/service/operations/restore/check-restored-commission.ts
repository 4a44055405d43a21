import type { Commission, ManualCommission } from '#lib/service/earnings/commissions/commission.ts';
import { customerOfLead, leadCommission } from '#lib/service/earnings/commissions/commission-without-sale.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { Lead } from '#lib/service/traffic/customers/lead.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { commissionWrites, findCommissionAt } from '#lib/service/earnings/commissions/commissions-items.ts';
import {
  commissionKey,
  commissionNameKey,
  externalIdWrites,
  findExternalId,
} from '#lib/service/earnings/commissions/commission-places-items.ts';
import { type Key, keys } from '#lib/service/ground/table/keys.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import { isOfDisposable } from '#lib/service/conversions/payers/compare-address.ts';
import { repair, type RestoredProgram } from '#lib/service/operations/restore/restored-program.ts';
import { termsInForce } from '#lib/service/programs/terms/terms-in-force.ts';

/**
 * A manual commission consists of the commission, its name item and the item of its external id. If the commission
 * exists, missing ones of the two other items are restored. If it is lost, the two other items are removed. If only the
 * item of the external id is left, it stays, but the id can be used again (see grantCommission).
 */
export async function checkManualCommission(restored: RestoredProgram, id: number): Promise<void> {
  const place = { kind: 'manual', id } as const;
  const commission = await findCommissionAt(restored.deps.table, place);
  if (commission) {
    await checkCommissionName(restored, commission);
    return checkExternalId(restored, commission);
  }
  const { table } = restored.deps;
  const key = commissionNameKey(place);
  const { externalId } = (await table.get<Pick<ManualCommission, 'externalId'>>(key)) ?? {};
  const reserved = await findExternalId(table, restored.program.id, externalId);
  const remains = [key, ...(reserved?.commissionId === id ? [keys.externalId(restored.program.id, externalId!)] : [])];
  await repair(
    restored,
    `commission ${id}: lost and can be granted again`,
    remains.map((one) => ({ name: 'remains', key: one, remove: true })),
  );
}

async function checkExternalId(restored: RestoredProgram, commission: Commission): Promise<void> {
  if (commission.kind !== 'manual') return;
  const { id, programId, externalId } = commission;
  if (externalId === undefined || (await findExternalId(restored.deps.table, programId, externalId))) return;
  await repair(restored, `commission ${id}: its external id`, externalIdWrites(commission));
}

/** Repairs the item by which a commission is looked up and listed. */
export async function checkCommissionName(restored: RestoredProgram, commission: Commission): Promise<void> {
  const [, name] = commissionWrites(commission);
  if (await restored.deps.table.get(name.key)) return;
  await repair(restored, `commission ${commission.id}: its name`, [name]);
}

/**
 * Repairs the commission of a settled lead. A lost commission is created again, with the terms that are in force in the
 * restored table.
 * @param lead the lead as it was restored, perhaps in a state before it was settled
 */
export async function checkLeadCommission(restored: RestoredProgram, customer: Customer, lead: Lead): Promise<void> {
  const { deps, program } = restored;
  const { clickId, firstPurchaseAt } = customer;
  const what = `customer ${clickId}: what its lead earned`;
  const mark: Write = { name: 'lead', key: keys.lead(clickId), change: { set: { earned: true } } };
  const commission = await findCommissionAt(deps.table, { kind: 'lead', clickId });
  if (commission) {
    await checkCommissionName(restored, commission);
    if (!lead.earned) await repair(restored, what, [mark]);
    return;
  }
  if (!lead.earned && lead.state === 'settled') return;
  const paidAt = lead.mode === 'processor' && firstPurchaseAt ? new Date(firstPurchaseAt) : undefined;
  const earner = customerOfLead(customer, lead);
  const terms = await termsInForce(deps, program, earner.partnerId);
  const { bursts } = await findAgreements(deps.table, program.id);
  const isDisposable = await isOfDisposable({}, program, earner);
  const { now } = deps;
  const settled = { program, customer: earner, lead, paidAt, actor: 'operator', now, bursts, isDisposable } as const;
  const made = leadCommission(settled, terms);
  if (made) await repair(restored, what, [...commissionWrites(made), mark]);
  else if (lead.earned) restored.unrepaired.push(`${what} is lost, and by the terms of now it earns nothing`);
}

/**
 * Removes the commission of a lost lead; otherwise resending the lead would always conflict with it.
 * @param name key of the commission's name item
 */
export async function removeLeadCommission(
  restored: RestoredProgram,
  clickId: string,
  name: Key | undefined,
): Promise<void> {
  const place = { kind: 'lead', clickId } as const;
  const commission = await findCommissionAt(restored.deps.table, place);
  if (commission?.paidAt !== undefined) {
    return void restored.unrepaired.push(`customer ${clickId}: its lead is lost, and what it earned is paid`);
  }
  const remains = [
    ...(commission ? [commissionKey(place), commissionNameKey({ ...place, id: commission.id })] : []),
    ...(!commission && name ? [name] : []),
  ];
  if (remains.length === 0) return;
  const writes = remains.map((key) => ({ name: 'remains', key, remove: true }) as const);
  await repair(restored, `customer ${clickId}: what its lost lead earned`, writes);
}
