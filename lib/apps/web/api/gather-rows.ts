import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { pagesOf } from '#lib/apps/web/api/load-all.ts';
import { patiently } from '#lib/apps/web/api/patiently.ts';

/** Maximum number of rows that are collected in the browser. Collecting them takes a hundred requests. */
export const MOST_ROWS = 10_000;

/** How a long task reports its progress, and how it is stopped. */
export interface Task {
  /** Called with the number of rows collected so far. */
  readonly onCount: (count: number) => void;
  /** If aborted, the task stops after its current request. */
  readonly signal: AbortSignal;
}

/** A file for the person to save. */
export interface Exported {
  readonly content: Blob;
  /** True if the file contains all rows that match the filters. */
  readonly isWhole: boolean;
}

export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** True if these are all rows of the list. */
  readonly isWhole: boolean;
}

/** Collects the first rows of a list with these filters, at most 10,000. @throws ApiError */
export async function gatherRows<Row>(
  api: Pick<Api, 'answer'>,
  path: string,
  query: Query,
  { onCount, signal }: Task,
): Promise<Gathered<Row>> {
  const rows: Row[] = [];
  const pages = pagesOf<Row>((of) => patiently(() => api.answer(path, { ...query, ...of }), signal));
  for await (const page of pages) {
    const room = MOST_ROWS - rows.length;
    rows.push(...page.slice(0, room));
    onCount(rows.length);
    if (signal.aborted || page.length > room) return { rows, isWhole: false };
  }
  return { rows, isWhole: true };
}
