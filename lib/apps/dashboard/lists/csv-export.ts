import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { type CsvColumns, csvText } from '#lib/apps/dashboard/lists/csv.ts';
import { type Exported, gatherRows, type Task } from '#lib/apps/web/api/gather-rows.ts';
import type { Period } from '#lib/apps/web/period.ts';

/** Creates the file of a list in the browser. @param columnsOf the columns may depend on the rows */
export const csvExport =
  <Row>(api: Api, path: string, query: Query, columnsOf: (rows: readonly Row[]) => CsvColumns<Row>) =>
  async (task: Task): Promise<Exported> => {
    const { rows, isWhole } = await gatherRows<Row>(api, path, query, task);
    const text = csvText(columnsOf(rows), rows);
    return { content: new Blob([text], { type: 'text/csv;charset=utf-8' }), isWhole };
  };

/** For example `links-1.csv`, or `links-1-2026-11-01-2026-11-23.csv`. */
export const csvName = (list: string, programId: number, { from, to }: Period = {}): string =>
  `${[list, programId, from, to].filter((part) => part !== undefined).join('-')}.csv`;
