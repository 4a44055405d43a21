import { describe, expect, it } from 'vitest';
import { csvOf } from '#lib/service/http/messages/csv.ts';

const cell = (text: string | number | undefined): string =>
  csvOf({ cell: () => text })
    .lines([{}])
    .slice(0, -'\r\n'.length);

describe('a cell of a CSV file is written unchanged', () => {
  it.each(['', 'in_1', 'a=b', 'a-b', 'jane+x@acme.test', 'a b', "'=1", '１＝１'])('with the text %j', (text) => {
    expect(cell(text)).toBe(text);
  });

  it.each([
    [-5, '-5'],
    [0, '0'],
    [undefined, ''],
  ])('if it is not a string: %j', (value, text) => {
    expect(cell(value)).toBe(text);
  });
});

describe('a cell of a CSV file is escaped if a spreadsheet would read a formula in it', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['\r1', '"\'\r1"'],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠A1', "'＠A1"],
  ])('at its beginning: %j → %j', (text, written) => {
    expect(cell(text)).toBe(written);
  });

  it.each([
    [';=1', '";\'=1"'],
    ['a;=1;+2;b', '"a;\'=1;\'+2;b"'],
    ['a;＝1', '"a;\'＝1"'],
    ['a\t=1', '"a\t\'=1"'],
    ['a\n=1', '"a\n\'=1"'],
    ['a;b', '"a;b"'],
  ])('after a separator of other locales or programs: %j → %j', (text, written) => {
    expect(cell(text)).toBe(written);
  });
});

it('quotes in a CSV cell are doubled, and cells with separators are quoted', () => {
  const file = csvOf({ a: () => 'x"y', b: () => 'x,y', c: () => 'x\r\ny' });
  expect(file.header + file.lines([{}])).toBe('a,b,c\r\n"x""y","x,y","x\r\ny"\r\n');
});
