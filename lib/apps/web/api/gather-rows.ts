import type { Api, Query } from '#lib/apps/web/api/api.ts';
import { pagesOf } from '#lib/apps/web/api/load-all.ts';
import { patiently } from '#lib/apps/web/api/patiently.ts';

/** Maximum rows collected in the browser, which takes a hundred requests. */
export const MOST_ROWS = 10_000;

/** A long task that proceeds page by page. */
export interface Task {
  /** Called with the number of rows so far. */
  readonly onCount: (count: number) => void;
  /** Stops the task after the current request. */
  readonly signal: AbortSignal;
}

/** A file to save. */
export interface Exported {
  readonly content: Blob;
  /** True if the file contains all matching rows. */
  readonly isWhole: boolean;
}

export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** True if there are no further rows. */
  readonly isWhole: boolean;
}

/** The first rows of a list with these filters, at most 10,000. @throws ApiError */
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
