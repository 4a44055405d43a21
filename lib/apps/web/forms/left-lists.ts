import type { NextPage } from '#lib/apps/web/api/next-page.ts';

/** The state of a list when its page was left. */
export interface LeftList<T> {
  readonly page: NextPage<T>;
  readonly scrollY: number;
}

/** Number of lists that are remembered. */
const MOST = 50;

const lists = new Map<string, LeftList<unknown>>();

/**
 * Lists of pages that were left in this tab, so that the browser's Back button shows them with all loaded rows and at
 * the same scroll position. In browsers without ids for history entries, lists start again.
 */
export const leftLists = {
  /** Returns the id of the current history entry. */
  entry: (): string | undefined => globalThis.navigation?.currentEntry?.key,

  /** Finds a list that was left. @param list path and filters of the list */
  find: <T>(entry: string | undefined, list: string) => lists.get(`${entry} ${list}`) as LeftList<T> | undefined,

  keep<T>(entry: string | undefined, list: string, left: LeftList<T>): void {
    if (entry === undefined) return;
    const name = `${entry} ${list}`;
    lists.delete(name);
    lists.set(name, left);
    if (lists.size > MOST) lists.delete(lists.keys().next().value!);
  },
};
