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

/** Groups results by kind. Their order is that of the service, which lists exact matches first. */
export const groupsOf = (results: readonly SearchResult[]): ResultGroup[] =>
  [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, group]) => ({ kind, title: titles[kind], results: group }));

export function resultPath({ kind, id }: SearchResult, programId: number): string {
  if (kind === 'sale') return salePath(programId, id);
  // A coupon code has no page, so its result leads to the list of codes.
  return kind === 'code' ? programPath('codes', programId) : programPath(kind, programId, id);
}

/**
 * The result that has exactly this identifier, if there is one. Other results of the same kind are ignored, because
 * they only contain the text. If there are results of several kinds, the person has to choose.
 */
export function onlyExact(results: readonly SearchResult[], sent: string): SearchResult | undefined {
  const text = sent.trim();
  const [first, ...others] = results;
  if (!first || !isExact(first, text)) return undefined;
  return others.every((other) => other.kind === first.kind && !isExact(other, text)) ? first : undefined;
}

function isExact({ kind, id, label, detail }: SearchResult, text: string): boolean {
  if (kind === 'partner') return detail.toLowerCase() === text.toLowerCase();
  if (kind === 'code') return id.toLowerCase() === text.toLowerCase();
  // A customer who was found by e-mail address may be shown by another name.
  return id === text || (kind === 'customer' && (label === text || /^\S+@\S+\.\S+$/.test(text)));
}
