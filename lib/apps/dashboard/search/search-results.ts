import { salePath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

type Kind = SearchResult['kind'];

const titles: Readonly<Record<Kind, string>> = {
  sale: 'Sales',
  customer: 'Customers',
  partner: 'Partners',
  link: 'Links',
  code: 'Codes',
};

export interface ResultGroup {
  readonly kind: Kind;
  readonly title: string;
  readonly results: readonly SearchResult[];
}

/** Results by kind, in a fixed order of kinds, and within each in the order of the service. */
export const groupsOf = (results: readonly SearchResult[]): ResultGroup[] =>
  (Object.keys(titles) as Kind[])
    .map((kind) => ({ kind, title: titles[kind], results: results.filter((result) => result.kind === kind) }))
    .filter((group) => group.results.length > 0);

export function resultPath({ kind, id }: SearchResult, programId: number): string {
  if (kind === 'sale') return salePath(programId, id);
  // A coupon code has no page, so its result leads to the list of codes.
  return kind === 'code' ? programPath('codes', programId) : programPath(kind, programId, id);
}

/** The only result, if it has exactly this identifier. Partners are also found by the beginning of their names. */
export function onlyExact(results: readonly SearchResult[], text: string): SearchResult | undefined {
  const [only, ...others] = results;
  if (!only || others.length > 0) return undefined;
  const isExact = only.kind !== 'partner' || only.detail.toLowerCase() === text.trim().toLowerCase();
  return isExact ? only : undefined;
}
