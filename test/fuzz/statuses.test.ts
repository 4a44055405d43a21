import { expect, it } from 'vitest';
import { judgedDocument } from '#test/fuzz/judged-document.ts';
import { judgement } from '#test/fuzz/statuses.ts';

const met = { 200: 3, 400: 2 };
const others = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`op${n}`, met]));

it('a fuzz run is valid if no operation was answered mostly with 429 or 404', () => {
  const { table, problems } = judgement({ ...others, getSale: { 404: 5, 200: 6 }, trackSale: { 429: 9 } });
  expect(problems).toEqual([]);
  expect(table.split('\n').map((line) => line.split(/ +/))).toEqual(
    expect.arrayContaining([
      ['Operation', '2xx', '4xx', '429', '404', '5xx'],
      ['getSale', '6', '0', '0', '5', '0'],
      ['trackSale', '0', '0', '9', '0', '0'],
    ]),
  );
});

it('a fuzz run is invalid if an operation was answered mostly with 429 or 404, or any with 5xx', () => {
  const blocked = { getSale: { 404: 10 }, getLink: { 429: 10 }, trackSale: { 404: 4, 429: 2, 302: 4 } };
  expect(judgement({ ...others, ...blocked }).problems).toEqual([
    '3 of 21 operations met mostly 429 or 404: getSale, getLink, trackSale',
  ]);
  const asked = { getSale: { 404: 9 }, getLink: { 429: 9 }, trackSale: { 404: 9 } };
  expect(judgement({ ...others, ...asked }).problems).toEqual([]);
  expect(judgement({ ...others, getLink: { 200: 9, 503: 1 } }).problems).toEqual(['5xx: getLink']);
});

it('judgedDocument puts the examples of requests where Schemathesis reads them', () => {
  const media = { schema: { type: 'object' } };
  const operation = {
    operationId: 'trackSale',
    requestBody: { required: true, content: { 'application/json': media } },
  };
  const request = { sale: { value: { amount_cents: 1 } } };
  expect(judgedDocument({ paths: { '/sale': { post: operation } } }, { trackSale: { request } })).toEqual({
    paths: {
      '/sale': {
        post: {
          ...operation,
          requestBody: { required: true, content: { 'application/json': { ...media, examples: request } } },
        },
      },
    },
  });
});
