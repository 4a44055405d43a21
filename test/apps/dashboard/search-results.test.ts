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

describe('the groups into which search results are divided', () => {
  it('are one per kind of result, in the order in which the kinds first appear', () => {
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
  ])('is that of the page about it: %o', (result, path) => {
    expect(resultPath(result, 7)).toBe(path);
  });
});

describe('onlyExact, which finds the one result that the search opens at once,', () => {
  it.each([sale, customer, link, code])('returns a result whose id is exactly the searched text: %o', (result) => {
    expect(onlyExact([result], result.id)).toBe(result);
    expect(onlyExact([result], result.id.slice(0, -1))).toBeUndefined();
  });

  it('returns a customer with exactly the searched key or e-mail address', () => {
    expect(onlyExact([customer], customer.label)).toBe(customer);
    expect(onlyExact([customer], 'jo@customers.test')).toBe(customer);
  });

  it('returns a coupon code in upper or lower case', () => {
    expect(onlyExact([code], 'save10')).toBe(code);
  });

  it('returns a partner with exactly the searched e-mail address, in upper or lower case', () => {
    expect(onlyExact([ana], ' ANA@partners.test ')).toBe(ana);
  });

  it('does not return a partner whose name only starts with the searched text', () => {
    expect(onlyExact([ana], 'ana')).toBeUndefined();
  });

  it('returns the first result even if later ones of its kind contain the text', () => {
    expect(onlyExact([sale, found('sale', 'in_12')], 'in_1')).toBe(sale);
    expect(onlyExact([found('sale', 'in_12'), sale], 'in_1')).toBeUndefined();
  });

  it('returns nothing if several results match exactly or none does', () => {
    expect(onlyExact([sale, customer], 'in_1')).toBeUndefined();
    expect(onlyExact([customer, found('customer', 'click_2')], 'jo@customers.test')).toBeUndefined();
    expect(onlyExact([], 'in_1')).toBeUndefined();
  });
});

const queryOf = (path: string) => new URL(path, 'https://track.test').searchParams;

describe('the URLs of the search and of a sale’s page', () => {
  it.each(['in_1', 'a b', '100%', '#?&/+=', '😀', 'עברית', '%E0%A4%A', '"<b>', 'x'.repeat(255)])(
    'can contain any text, which is read back unchanged: %s',
    (text) => {
      expect(queryOf(salePath(1, text)).get('transaction')).toBe(text);
      expect(queryOf(searchPath(1, text)).get('q')).toBe(text);
    },
  );
});
