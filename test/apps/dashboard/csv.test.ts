import { expect, it } from 'vitest';
import { amountColumns, csvOfRows, csvText } from '#lib/apps/dashboard/lists/csv.ts';
import type { Api } from '#lib/apps/web/api/api.ts';
import { csvName, type List } from '#lib/apps/web/lists/list.ts';

const one = (cell: string | number | boolean | null | undefined) => csvText({ a: () => cell }, [0]);

it('a CSV file has a header line and one line per row, ended by CRLF', () => {
  const columns = { name: ({ n }: { n: string }) => n, length: ({ n }: { n: string }) => n.length };
  expect(csvText(columns, [{ n: 'Ana' }, { n: 'Zoë 株式会社' }])).toBe('name,length\r\nAna,3\r\nZoë 株式会社,8\r\n');
  expect(csvText(columns, [])).toBe('name,length\r\n');
});

it.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['say "no"', '"say ""no"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [-490, '-490'],
  [false, 'false'],
])('the cell %j of a CSV file is written as %j', (cell, text) => {
  expect(one(cell)).toBe(`a\r\n${text}\r\n`);
});

it.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-1', "'-1"],
  ['@cmd', "'@cmd"],
  ['＝1', "'＝1"],
  ['\tx', '"\'\tx"'],
  ['\rx', '"\'\rx"'],
  ['a;=1', '"a;\'=1"'],
  ['a\n@b', '"a\n\'@b"'],
  ['a=1', 'a=1'],
])('the formula %j is escaped in a CSV file', (cell, text) => {
  expect(one(cell)).toBe(`a\r\n${text}\r\n`);
});

it('a CSV file has a column for each amount in each currency', () => {
  const rows = [
    { amounts: { USD: { revenue_cents: 100, paid_out_cents: null } } },
    { amounts: { EUR: { revenue_cents: 7, paid_out_cents: 3 }, USD: { revenue_cents: 5, paid_out_cents: 0 } } },
    { amounts: {} },
  ];
  expect(csvText(amountColumns(['revenue_cents', 'paid_out_cents'], rows), rows)).toBe(
    'revenue_cents_EUR,paid_out_cents_EUR,revenue_cents_USD,paid_out_cents_USD\r\n,,100,\r\n7,3,5,0\r\n,,,\r\n',
  );
});

it('a CSV file has all rows of the list, also if the list is ranked by a figure', async () => {
  const queries: unknown[] = [];
  const answer = (_: string, query: unknown) => {
    queries.push(query);
    return Promise.resolve({ data: [], meta: { next_cursor: null } });
  };
  const list = { columns: [] } as unknown as List<unknown>;
  const api = { answer } as unknown as Api;
  const make = csvOfRows(list, api, '/partners', { status: 'active', sort: 'revenue' });
  await make({ onCount: () => undefined, signal: new AbortController().signal });
  expect(queries).toEqual([expect.not.objectContaining({ sort: 'revenue' })]);
});

it('the name of a CSV file contains the list, the program and the period', () => {
  expect(csvName('links', 1)).toBe('links-1.csv');
  expect(csvName('links', 1, { from: '2026-11-01', to: '2026-11-23' })).toBe('links-1-2026-11-01-2026-11-23.csv');
});
