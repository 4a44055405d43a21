import type { NextPage } from '#lib/apps/web/api/next-page.ts';

/** The loaded rows and the scroll position of a list when the person left its page. */
export interface LeftList<T> {
  readonly page: NextPage<T>;
  readonly scrollY: number;
}

/** Maximum number of lists that are remembered. */
const MOST = 50;

const lists = new Map<string, LeftList<unknown>>();

/**
 * Remembers lists whose pages were left in this tab. If the person comes back by the browser's Back button, the list
 * has the same rows and scroll position. In browsers that give history entries no ids, lists begin at their first page.
 */
export const leftLists = {
  /** Returns the id of the present entry of the browser's history. */
  entry: (): string | undefined => globalThis.navigation?.currentEntry?.key,

  /** Finds the list that was left in a history entry. @param list path and filters of the list */
  find: <T>(entry: string | undefined, list: string) => lists.get(`${entry} ${list}`) as LeftList<T> | undefined,

  keep<T>(entry: string | undefined, list: string, left: LeftList<T>): void {
    if (entry === undefined) return;
    const name = `${entry} ${list}`;
    lists.delete(name);
    lists.set(name, left);
    if (lists.size > MOST) lists.delete(lists.keys().next().value!);
  },
};
