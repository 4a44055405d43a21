import { describe, expect, it } from 'vitest';
import { nextPage } from '#lib/apps/web/api/next-page.ts';

/** A list with pages of these sizes; its cursors count the pages. */
function listOf(...sizes: number[]) {
  const asked: (string | undefined)[] = [];
  const pageAfter = async (cursor: string | undefined) => {
    asked.push(cursor);
    const page = Number(cursor ?? 0);
    const data = Array.from({ length: sizes[page]! }, (_row, n) => `${page}.${n}`);
    return { data, meta: { next_cursor: page === sizes.length - 1 ? null : String(page + 1) } };
  };
  return { asked, pageAfter };
}

describe('the next page of a list in the browser, joined from pages of the API,', () => {
  it('is a single page of the API if that page is full', async () => {
    const { pageAfter, asked } = listOf(25, 25);
    expect(await nextPage(pageAfter)).toMatchObject({ items: { length: 25 }, cursor: '1' });
    expect(asked).toEqual([undefined]);
  });

  it('contains several short pages of the API, until it is full', async () => {
    const { pageAfter, asked } = listOf(10, 0, 15, 3);
    expect(await nextPage(pageAfter)).toMatchObject({ items: { length: 25 }, cursor: '3' });
    expect(asked).toEqual([undefined, '1', '2']);
  });

  it('is not full at the end of the list', async () => {
    const { pageAfter } = listOf(25, 0, 3);
    expect(await nextPage(pageAfter, '1')).toEqual({ items: ['2.0', '2.1', '2.2'], cursor: undefined });
  });

  it('contains only what ten requests returned, even if that is nothing, and can be continued from there', async () => {
    const { pageAfter, asked } = listOf(...Array.from({ length: 40 }, () => 0));
    expect(await nextPage(pageAfter)).toEqual({ items: [], cursor: '10' });
    expect(asked).toHaveLength(10);
  });
});
