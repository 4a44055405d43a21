import { sha256 } from '#lib/service/ground/addresses/credential.ts';
import type { ExportFiles } from '#lib/service/ground/values/export-files.ts';
import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { type Key, keys, transactionIdListedBy } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { auditWrites } from '#lib/service/people/workspaces/audit-writes.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import {
  type CustomersOfPayments,
  paymentsOfCustomers,
} from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import { formerIdsOf } from '#lib/service/conversions/sales/customer-sales-items.ts';
import { type Exported, exportBounds, exportRows } from '#lib/service/reports/exports/export-rows.ts';

/** A stored record about a customer. */
export interface StoredRecord {
  /** The kind of the record, such as `click` or `sale`. */
  readonly kind: string;
  readonly stored: object;
}

/** The format of the records, and the storage for a large file. */
interface CustomerExport {
  readonly files: ExportFiles;
  readonly spelling: {
    readonly header: string;
    /** Returns records as text. @param isFirst whether they are the first in the file */
    readonly lines: (records: readonly StoredRecord[], isFirst: boolean) => string;
    readonly footer: string;
  };
  readonly cursor?: string;
}

/** How many records are read at once. */
const RECORDS = 50;

/**
 * Everything that is stored about a customer, as a file of any size: the customer, clicks, lead, payers, sales with
 * their commissions and refunds, and payments without attribution. Facts and deliveries are left out, because they only
 * repeat these data for some days. The first request writes a row in the audit list.
 */
export async function exportCustomer(
  deps: Deps,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { clickId, customerKey }: Customer,
  { spelling, ...request }: CustomerExport,
  bounds = exportBounds,
): Promise<Exported> {
  const { table } = deps;
  if (request.cursor === undefined) {
    const target = { type: 'customer', id: clickId, programId } as const;
    await table.transact(auditWrites(deps, workspaceId, { action: 'customer.exported', target }));
  }
  const customers: CustomersOfPayments = {
    programId,
    clickIds: new Set([clickId, ...(await formerIdsOf(table, clickId))]),
    keyHashes: new Set(customerKey === undefined ? [] : [sha256(customerKey)]),
  };
  return exportRows(
    deps,
    {
      list: ['customer', programId, clickId],
      savedAs: `customer-${clickId}.json`,
      ...spelling,
      async lines({ after }) {
        const { records, next } = await recordsAfter(table, clickId, customers, after);
        return { text: spelling.lines(records, after === undefined), next };
      },
    },
    request,
    bounds,
  );
}

/** Positions in this export that begin with this text are in the last part, the payments without attribution. */
const PAYMENTS = 'payments ';

async function recordsAfter(
  table: Table,
  clickId: string,
  customers: CustomersOfPayments,
  after: string | undefined,
): Promise<{ readonly records: readonly StoredRecord[]; readonly next?: string }> {
  if (after?.startsWith(PAYMENTS)) {
    const position = after.slice(PAYMENTS.length) || undefined;
    const { items, next } = await paymentsOfCustomers(table, customers, { most: RECORDS, after: position });
    return {
      records: items.map((stored) => ({ kind: 'payment', stored })),
      next: next === undefined ? undefined : PAYMENTS + next,
    };
  }
  const page: PageRequest = { most: RECORDS, after };
  const found = await table.query<Key>(keys.customer(clickId).pk, page);
  const records = await Promise.all(found.map((item) => recordsBehind(table, clickId, item)));
  return { records: records.flat(), next: found.length < RECORDS ? PAYMENTS : found.at(-1)!.sk };
}

/**
 * Returns the item itself. If it is an entry in the customer's list of sales, returns all records of the sale, or
 * nothing if a restore has lost the sale or it now belongs to another customer.
 */
async function recordsBehind(table: Table, clickId: string, item: Key): Promise<StoredRecord[]> {
  if (!item.sk.startsWith('SALE#')) return [recordOf(item)];
  const sale = await findSale(table, transactionIdListedBy(item));
  if (sale?.attribution?.clickId !== clickId) return [];
  return (await table.query<Key>(keys.sale(sale.transactionId).pk)).map(recordOf);
}

const recordOf = (stored: Key): StoredRecord => ({ kind: stored.sk.split('#')[0]!.toLowerCase(), stored });
