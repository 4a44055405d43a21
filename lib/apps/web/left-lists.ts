import type { NextPage } from '#lib/apps/web/next-page.ts';

/** A list as it was when its page was left. */
export interface LeftList<T> {
  readonly page: NextPage<T>;
  readonly scrollY: number;
}

/** So many pages back, lists begin anew. */
const MOST = 50;

const lists = new Map<string, LeftList<unknown>>();

/**
 * Lists of the pages that were left in this tab, so that the browser's Back button shows them with all rows that were
 * loaded, at the place where they were read. Where a browser does not name the entries of its history, they begin anew.
 */
export const leftLists = {
  /** Names the entry of the history that is shown now. */
  entry: (): string | undefined => globalThis.navigation?.currentEntry?.key,

  /** @param list its path and filters */
  find: <T>(entry: string | undefined, list: string) => lists.get(`${entry} ${list}`) as LeftList<T> | undefined,

  keep<T>(entry: string | undefined, list: string, left: LeftList<T>): void {
    if (entry === undefined) return;
    const name = `${entry} ${list}`;
    lists.delete(name);
    lists.set(name, left);
    if (lists.size > MOST) lists.delete(lists.keys().next().value!);
  },
};
