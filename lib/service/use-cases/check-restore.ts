import { attributedPart, type Customer } from '#lib/domain/customer.ts';
import type { Lead } from '#lib/domain/lead.ts';
import { sumOf } from '#lib/domain/money.ts';
import { type Program, termsOf } from '#lib/domain/program.ts';
import { reducedCommission, shareOf, withRefundRow } from '#lib/domain/refunded-commission.ts';
import type { Sale } from '#lib/domain/sale.ts';
import { convertedCustomer } from '#lib/domain/sale-decision.ts';
import type { OperatorDeps } from '#lib/service/deps.ts';
import { changedCommissionWrite, commissionsOf, commissionWrites } from '#lib/service/store/commissions.ts';
import { findCustomerByKey, findRecordedCustomer } from '#lib/service/store/customers.ts';
import { type Key, keys } from '#lib/service/store/keys.ts';
import { emailWrites, findLead } from '#lib/service/store/leads.ts';
import { commissionsIn } from '#lib/service/store/payouts.ts';
import { refundEventWrites, storedRefundsOf } from '#lib/service/store/refunds.ts';
import {
  everyCommission,
  everyProgram,
  type Raised,
  raiseSequences,
  recordedSince,
  whatIs,
} from '#lib/service/store/restored.ts';
import { customerWrites, findCommission, findSale } from '#lib/service/store/sales.ts';
import type { Write } from '#lib/service/store/writes.ts';
import { repairSale } from '#lib/service/use-cases/repair-sale.ts';

export interface RestoreCheck {
  /** Customers and sales that were looked at. */
  readonly checked: number;
  readonly repaired: readonly string[];
  /** What somebody has to decide. */
  readonly unrepaired: readonly string[];
  readonly sequences: Readonly<Record<string, Raised>>;
}

/** A restore may cut what was written at its moment; this is far more than any write takes. */
const LOOK_BACK_MS = 15 * 60_000;

interface Check {
  readonly deps: OperatorDeps;
  readonly program: Program;
  readonly repaired: string[];
  readonly unrepaired: string[];
}

/**
 * Repairs a table that was restored to a point in time: of a transaction at that moment a part may be missing, and the
 * sequences would hand out ids again that callers know already. What can be made whole is made whole; a commission
 * whose sale is lost is removed, so that the sale can be sent again. Repeating it changes nothing more.
 * @param restoredTo the time to which the table was restored
 */
export async function checkRestore(deps: OperatorDeps, restoredTo: Date): Promise<RestoreCheck> {
  const { table } = deps;
  const sequences = await raiseSequences(table, restoredTo.toISOString());
  const since = new Date(restoredTo.getTime() - LOOK_BACK_MS).toISOString();
  const [repaired, unrepaired]: [string[], string[]] = [[], []];
  let checked = 0;
  for await (const program of everyProgram(table, sequences.program!.from)) {
    const check: Check = { deps, program, repaired, unrepaired };
    const touched = await touchedSince(check, since);
    checked += touched.clickIds.size + touched.transactionIds.size;
    for (const clickId of touched.clickIds) await checkCustomer(check, clickId);
    for (const transactionId of touched.transactionIds) await checkSale(check, transactionId, touched);
    await checkPayouts(check);
  }
  await checkNotes(deps, repaired);
  return { checked, repaired, unrepaired, sequences };
}

/** What was recorded last of a program. */
interface Touched {
  readonly clickIds: ReadonlySet<string>;
  readonly transactionIds: ReadonlySet<string>;
  /** Names of commissions by their sale. */
  readonly names: ReadonlyMap<string, Key>;
}

async function touchedSince({ deps: { table }, program }: Check, since: string): Promise<Touched> {
  const [clickIds, transactionIds, names] = [new Set<string>(), new Set<string>(), new Map<string, Key>()];
  for await (const { pk, sk } of recordedSince(table, program.id, since)) {
    const { transactionId, clickId, isName } = whatIs({ pk, sk });
    if (clickId !== undefined) clickIds.add(clickId);
    if (transactionId !== undefined) transactionIds.add(transactionId);
    if (isName && transactionId !== undefined) names.set(transactionId, { pk, sk });
  }
  for (const transactionId of transactionIds) {
    const clickId = (await findSale(table, transactionId))?.attribution?.clickId;
    if (clickId !== undefined) clickIds.add(clickId);
  }
  table.forget();
  return { clickIds, transactionIds, names };
}

/** Carries out writes that make something whole. */
async function repair({ deps: { table }, repaired }: Check, what: string, writes: readonly Write[]): Promise<void> {
  await table.transact(writes);
  table.forget();
  repaired.push(what);
}

async function checkCustomer(check: Check, clickId: string): Promise<void> {
  const { table } = check.deps;
  const [existing, lead] = await Promise.all([findRecordedCustomer(table, clickId), findLead(table, clickId)]);
  if (!existing) return void check.unrepaired.push(`customer ${clickId}: lost, with events of it left`);
  if (existing.erasedAt) return;
  const customer = lead ? await checkLead(check, existing, lead) : await checkLostLead(check, existing);
  await checkKey(check, customer);
}

/** A lead, and whether its customer and its address know of it. */
async function checkLead(check: Check, customer: Customer, lead: Lead): Promise<Customer> {
  const { clickId } = customer;
  const { table } = check.deps;
  const [email] = emailWrites(lead);
  if (email && !(await table.get(email.key))) await repair(check, `customer ${clickId}: its address`, [email]);
  if (customer.leadState === lead.state) return customer;
  if (customer.leadState === 'settled') {
    const settled = { name: 'lead', key: keys.lead(clickId), change: { set: { state: 'settled' } } } as const;
    await repair(check, `customer ${clickId}: its lead`, [settled]);
    return customer;
  }
  const after: Customer = {
    ...customer,
    leadState: lead.state,
    ...(lead.state === 'settled' && {
      status: customer.status === 'click' ? 'lead' : customer.status,
      signupAt: lead.createdAt,
      email: lead.email ?? customer.email,
    }),
  };
  const { status, leadState, signupAt, email: trace } = after;
  await repair(check, `customer ${clickId}: its lead`, [
    customerWrite(customer, { status, leadState, signupAt, email: trace }),
  ]);
  return after;
}

/** Without its lead a customer could never become one again: it becomes what it was before, and the lead is sent again. */
async function checkLostLead(check: Check, customer: Customer): Promise<Customer> {
  if (customer.leadState === undefined) return customer;
  const status = customer.status === 'lead' ? 'click' : customer.status;
  const undone = { status, leadState: undefined, signupAt: undefined } as const;
  await repair(check, `customer ${customer.clickId}: its lead is lost and can be sent again`, [
    customerWrite(customer, undone),
  ]);
  return { ...customer, ...undone };
}

const customerWrite = ({ clickId, status, leadState }: Customer, set: Partial<Customer>): Write => ({
  name: 'customer',
  key: keys.customer(clickId),
  change: { set },
  condition: { equals: { status, leadState } },
});

/** The item of a customer's key repeats the customer. */
async function checkKey(check: Check, customer: Customer): Promise<void> {
  const { clickId, customerKey, programId } = customer;
  if (customerKey === undefined) return;
  const keyed = await findCustomerByKey(check.deps.table, programId, customerKey);
  if (keyed && keyed.clickId !== clickId) {
    return void check.unrepaired.push(`customer ${clickId}: its key belongs to customer ${keyed.clickId}`);
  }
  const { status, leadState, partnerId } = customer;
  const isInStep = keyed?.status === status && keyed.leadState === leadState && keyed.partnerId === partnerId;
  if (isInStep) return;
  await repair(check, `customer ${clickId}: its key`, [
    { name: 'customerKey', key: keys.customerKey(customerKey, programId), put: attributedPart(customer) },
  ]);
}

async function checkSale(check: Check, transactionId: string, { names }: Touched): Promise<void> {
  const { table } = check.deps;
  const sale = await findSale(table, transactionId);
  if (!sale) return removeRemains(check, transactionId, names.get(transactionId));
  if (sale.programId !== check.program.id || sale.isTest) return;
  await checkNote(check, sale);
  if (sale.commissionState === 'created') await checkCommission(check, sale);
  if (sale.commissionState === 'created' || sale.commissionState === 'notDue') await checkConversion(check, sale);
  if (sale.source === 'processor') await checkPaymentIds(check, sale);
  await checkRefunds(check, sale);
}

/** Sent again, the sale would meet its own commission and be refused for ever. */
async function removeRemains(check: Check, transactionId: string, name: Key | undefined): Promise<void> {
  const { table } = check.deps;
  const items = await table.query<Key & { readonly paidAt?: string }>(keys.sale(transactionId).pk);
  if (items.some(({ paidAt }) => paidAt !== undefined)) {
    return void check.unrepaired.push(`sale ${transactionId}: lost, and its commission is paid`);
  }
  const remains = [...items, ...(name ? [name] : [])];
  const writes = remains.map(({ pk, sk }): Write => ({ name: 'remains', key: { pk, sk }, remove: true }));
  if (writes.length > 0) await repair(check, `sale ${transactionId}: lost and can be sent again`, writes);
}

/** By its note `sale repair --all` finds a sale without commission. */
async function checkNote(check: Check, { commissionState, createdAt, transactionId }: Sale): Promise<void> {
  if (commissionState !== 'failed' && commissionState !== 'noPartner') return;
  const key = keys.saleToRepair(createdAt, transactionId);
  if (await check.deps.table.get(key)) return;
  await repair(check, `sale ${transactionId}: its note for sale repair`, [
    { name: 'toRepair', key, put: { transactionId } },
  ]);
}

async function checkCommission(check: Check, sale: Sale): Promise<void> {
  const { table } = check.deps;
  const { transactionId } = sale;
  const commission = await findCommission(table, transactionId);
  if (!commission) return remakeCommission(check, sale);
  const [, name] = commissionWrites(commission);
  if (await table.get(name!.key)) return;
  await repair(check, `commission ${commission.id}: its name`, [name!]);
}

/** As `sale repair` does it, with the program's terms of now: they are those of the moment of the restore. */
async function remakeCommission(check: Check, sale: Sale): Promise<void> {
  const { deps, program } = check;
  const { transactionId } = sale;
  const {
    items: [latest],
  } = await commissionsOf(deps.table, program.id, 'all', { most: 1 }, () => true);
  if (!latest) {
    return void check.unrepaired.push(`sale ${transactionId}: its commission is lost, and no other one tells the fee`);
  }
  const terms = termsOf(program, latest.platformFee.bps);
  await deps.table.transact([
    { name: 'sale', key: keys.sale(transactionId), change: { set: { commissionState: 'failed', terms } } },
    { name: 'toRepair', key: keys.saleToRepair(sale.createdAt, transactionId), put: { transactionId } },
  ]);
  deps.table.forget();
  const { skipped } = await repairSale(deps, transactionId);
  deps.table.forget();
  (skipped ? check.unrepaired : check.repaired).push(
    `sale ${transactionId}: its commission${skipped ? ` (${skipped})` : ''}`,
  );
}

async function checkConversion(check: Check, { attribution, occurredAt, transactionId }: Sale): Promise<void> {
  const customer = await findRecordedCustomer(check.deps.table, attribution?.clickId);
  if (!customer || customer.erasedAt || customer.status === 'conversion') return;
  const converted = convertedCustomer(customer, undefined, new Date(occurredAt));
  await repair(check, `sale ${transactionId}: its customer's conversion`, customerWrites(customer, converted));
}

/** By these a refund or dispute finds the sale. */
async function checkPaymentIds(check: Check, sale: Sale): Promise<void> {
  const { transactionId, programId, providerPaymentId } = sale;
  for (const id of [transactionId, providerPaymentId]) {
    if (id === undefined) continue;
    const key = keys.payment(programId, id);
    const payment = await check.deps.table.get<{ transactionId?: string }>(key);
    if (payment?.transactionId !== undefined) continue;
    if (payment) {
      check.unrepaired.push(`sale ${transactionId}: what waits for payment ${id}; send its events again`);
    } else {
      const put = { transactionId, version: 1 };
      await repair(check, `sale ${transactionId}: payment ${id}`, [
        { name: 'payment', key, put, condition: { isNew: true } },
      ]);
    }
  }
}

/** A refund's step, the sale's total and the commission go together. */
async function checkRefunds(check: Check, { transactionId }: Sale): Promise<void> {
  const { table, now, ids } = check.deps;
  const [sale, commission, refunds] = await Promise.all([
    findSale(table, transactionId),
    findCommission(table, transactionId),
    storedRefundsOf(table, transactionId),
  ]);
  if (!sale) return;
  const last = refunds.at(-1);
  const told = sumOf(refunds.map(({ amountCents }) => amountCents));
  if (told > sale.refundedCents && (sale.reversals || last?.source === 'processor' || last?.reason === 'dispute_won')) {
    return void check.unrepaired.push(`sale ${transactionId}: a refund of the processor; send its events again`);
  }
  const isBehind = told > sale.refundedCents;
  const reason = (isBehind ? last?.reason : sale.refundReason) ?? 'refund';
  const after: Sale =
    isBehind && reason !== 'dispute_won' ? { ...sale, refundedCents: told, refundReason: reason } : sale;
  const reduced = commission && reducedCommission(commission, after);
  const isReduced = reduced?.deductedCents !== commission?.deductedCents || reduced?.status !== commission?.status;
  const amountCents = sale.refundedCents - told;
  const step = { reason, amountCents, refundedCents: sale.refundedCents, ...shareOf(commission, reduced) };
  const writes: Write[] = [
    ...(isBehind
      ? [
          {
            name: 'sale',
            key: keys.sale(transactionId),
            change: { set: { refundedCents: told, refundReason: after.refundReason } },
            condition: { equals: { refundedCents: sale.refundedCents } },
          } as const,
        ]
      : []),
    ...(amountCents > 0
      ? refundEventWrites({ sale, commission, steps: [step] }, [
          { id: await ids.take(table), createdAt: now.toISOString() },
        ])
      : []),
    ...(commission && reduced && isReduced
      ? [changedCommissionWrite(commission, withRefundRow(commission, reduced, reason, { actor: 'operator', at: now }))]
      : []),
  ];
  if (writes.length > 0) await repair(check, `sale ${transactionId}: its refund`, writes);
}

/** Money may have been sent: what a paid commission's payout was is for people to find out. */
async function checkPayouts({ deps: { table }, program, unrepaired }: Check): Promise<void> {
  const held = new Map<number, Promise<ReadonlySet<number>>>();
  for await (const { id, payoutId } of everyCommission(table, program.id)) {
    if (payoutId === undefined) continue;
    const holds = held.get(payoutId) ?? commissionsIn(table, program.id, payoutId);
    held.set(payoutId, holds);
    if (!(await holds).has(id)) unrepaired.push(`commission ${id}: paid by payout ${payoutId}, which does not hold it`);
  }
}

/** A note whose sale is lost would end every `sale repair --all`. */
async function checkNotes(deps: OperatorDeps, repaired: string[]): Promise<void> {
  const notes = await deps.table.query<Key & { readonly transactionId: string }>(keys.saleToRepair('', '').pk);
  for (const { pk, sk, transactionId } of notes) {
    if (await findSale(deps.table, transactionId)) continue;
    await deps.table.transact([{ name: 'toRepair', key: { pk, sk }, remove: true }]);
    repaired.push(`sale ${transactionId}: lost and can be sent again`);
  }
}
