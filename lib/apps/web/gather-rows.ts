import type { Api, Query } from '#lib/apps/web/api.ts';
import { pagesOf } from '#lib/apps/web/load-all.ts';
import { patiently } from '#lib/apps/web/patiently.ts';

/** As many rows as are gathered in the browser: a hundred requests. */
export const MOST_ROWS = 10_000;

/** Something that takes a while, page by page. */
export interface Task {
  /** Called with the number of rows so far. */
  readonly onCount: (count: number) => void;
  /** Ends it behind the request that is under way. */
  readonly signal: AbortSignal;
}

/** A file to be saved. */
export interface Exported {
  readonly content: Blob;
  /** Nothing that matches is missing. */
  readonly isWhole: boolean;
}

export interface Gathered<Row> {
  readonly rows: readonly Row[];
  /** There are no more. */
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
