import { describe, expect, it } from 'vitest';
import { salePath, searchPath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { groupsOf, onlyExact, resultPath } from '#lib/apps/dashboard/search/search-results.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

const found = (kind: SearchResult['kind'], id: string, detail = ''): SearchResult => ({
  kind,
  id,
  label: `label of ${id}`,
  detail,
});
const sale = found('sale', 'in_1');
const customer = found('customer', 'click_1');
const ana = found('partner', '1', 'ana@partners.test');
const anatol = found('partner', '2', 'anatol@partners.test');
const link = found('link', 'ana');
const code = found('code', 'SAVE10');

describe('the results of a search, in groups,', () => {
  it('contain one per kind found, in the order of the first of each', () => {
    expect(groupsOf([link, ana, customer, anatol, sale])).toEqual([
      { kind: 'link', title: 'Links', results: [link] },
      { kind: 'partner', title: 'Partners', results: [ana, anatol] },
      { kind: 'customer', title: 'Customers', results: [customer] },
      { kind: 'sale', title: 'Sales', results: [sale] },
    ]);
  });

  it('are empty if nothing was found', () => {
    expect(groupsOf([])).toEqual([]);
  });
});

describe('the URL of a search result', () => {
  it.each([
    [sale, '/programs/7/sale?transaction=in_1'],
    [customer, '/programs/7/customers/click_1'],
    [ana, '/programs/7/partners/1'],
    [link, '/programs/7/links/ana'],
  ])('leads to the page of a %o', (result, path) => {
    expect(resultPath(result, 7)).toBe(path);
  });
});

describe('the search result that opens at once', () => {
  it.each([sale, customer, link, code])('is the only match of an identifier: %o', (result) => {
    expect(onlyExact([result], result.id)).toBe(result);
    expect(onlyExact([result], result.id.slice(0, -1))).toBeUndefined();
  });

  it('is a customer with the searched key or e-mail address', () => {
    expect(onlyExact([customer], customer.label)).toBe(customer);
    expect(onlyExact([customer], 'jo@customers.test')).toBe(customer);
  });

  it('is a code in any case', () => {
    expect(onlyExact([code], 'save10')).toBe(code);
  });

  it('is a partner with the searched e-mail address, in any case', () => {
    expect(onlyExact([ana], ' ANA@partners.test ')).toBe(ana);
  });

  it('is not a partner whose name starts with the searched text', () => {
    expect(onlyExact([ana], 'ana')).toBeUndefined();
  });

  it('may be followed by results of its kind that contain the text', () => {
    expect(onlyExact([sale, found('sale', 'in_12')], 'in_1')).toBe(sale);
    expect(onlyExact([found('sale', 'in_12'), sale], 'in_1')).toBeUndefined();
  });

  it('is absent if there are several matches or none', () => {
    expect(onlyExact([sale, customer], 'in_1')).toBeUndefined();
    expect(onlyExact([customer, found('customer', 'click_2')], 'jo@customers.test')).toBeUndefined();
    expect(onlyExact([], 'in_1')).toBeUndefined();
  });
});

const queryOf = (path: string) => new URL(path, 'https://track.test').searchParams;

describe('the URLs of search results', () => {
  it.each(['in_1', 'a b', '100%', '#?&/+=', '😀', 'עברית', '%E0%A4%A', '"<b>', 'x'.repeat(255)])(
    'keep any text unchanged: %s',
    (text) => {
      expect(queryOf(salePath(1, text)).get('transaction')).toBe(text);
      expect(queryOf(searchPath(1, text)).get('q')).toBe(text);
    },
  );
});
