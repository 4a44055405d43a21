import { type Commission, ofSale } from '#lib/service/earnings/commissions/commission.ts';
import { shownNow, type WithPayoutStatus } from '#lib/service/earnings/lines/payout-status.ts';
import type { ExportFiles } from '#lib/service/ground/values/export-files.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Sale } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { commissionsOfPartner } from '#lib/service/earnings/commissions/partner-commissions-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { findSale } from '#lib/service/conversions/sales/sales-items.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { exportBounds, type Exported, exportRows } from '#lib/service/reports/exports/export-rows.ts';
import {
  type CommissionFilter,
  type CommissionOfPartner,
  isKept,
  storedCommissions,
} from '#lib/service/reports/lists/list-commissions.ts';

/** A commission with its sale, whose tax the export shows. */
export interface CommissionOfSale extends CommissionOfPartner {
  readonly sale?: Sale;
}

/** How rows become text. */
interface Spelling<Row> {
  readonly header: string;
  readonly lines: (rows: readonly Row[]) => string;
}

/** The destination and format of an export, and the cursor with which it continues. */
interface ExportRequest<Row> {
  readonly files: ExportFiles;
  readonly spelling: Spelling<Row>;
  readonly cursor?: string;
}

/** All commissions of a program, newest first, as a file of any size. @throws Refusal for a cursor of another export */
export function exportCommissions(
  deps: Deps,
  program: Program,
  filter: CommissionFilter,
  { spelling, ...request }: ExportRequest<CommissionOfSale>,
  bounds = exportBounds,
): Promise<Exported> {
  const { table } = deps;
  const partners = new Map<number, Partner | undefined>();
  return exportRows(
    deps,
    {
      list: ['commissions', program.id, filter],
      savedAs: `commissions-${program.id}.csv`,
      header: spelling.header,
      async lines(page) {
        const { items, next } = await storedCommissions(table, program.id, filter, page, () => true);
        const wanted = items.filter(isKept(deps, program, filter));
        const unknown = new Set(wanted.map(({ partnerId }) => partnerId).filter((one) => !partners.has(one)));
        const [sales, shown] = await Promise.all([
          Promise.all(wanted.map((one) => saleOf(table, one))),
          Promise.all(wanted.map((one) => shownNow(deps, program, one))),
          ...[...unknown].map(async (one) => partners.set(one, await findPartner(table, program.id, one))),
        ]);
        const rows = wanted.map((one, index) => ({
          commission: shown[index]!,
          partner: partners.get(one.partnerId),
          sale: sales[index],
        }));
        return { text: spelling.lines(rows), next };
      },
    },
    request,
    bounds,
  );
}

/** All commissions of one partner, without partner names and sales. */
export function exportOwnCommissions(
  deps: Deps,
  program: Program,
  { id: partnerId }: Pick<Partner, 'id'>,
  { spelling, ...request }: ExportRequest<WithPayoutStatus>,
  bounds = exportBounds,
): Promise<Exported> {
  const { table } = deps;
  return exportRows(
    deps,
    {
      list: ['own commissions', program.id, partnerId],
      savedAs: `commissions-${program.id}.csv`,
      header: spelling.header,
      async lines(page) {
        const { items, next } = await commissionsOfPartner(table, { programId: program.id, partnerId }, 'all', page);
        return { text: spelling.lines(await Promise.all(items.map((one) => shownNow(deps, program, one)))), next };
      },
    },
    request,
    bounds,
  );
}

const saleOf = async (table: Table, commission: Commission): Promise<Sale | undefined> => {
  const { transactionId } = ofSale(commission) ?? {};
  return transactionId === undefined ? undefined : findSale(table, transactionId);
};
