import { useLocation } from 'preact-iso';
import { useQuery } from '#lib/apps/web/hooks/use-query.ts';

/** The filters of a page, by name. An empty text means that the filter is not set. */
export interface Filters<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly change: (changes: Partial<Record<Name, string>>) => void;
  /** The number of filters whose values differ from the defaults. */
  readonly changed: number;
  readonly reset: () => void;
}

/** Keeps filters in the page's address, so that they survive a reload and Back, and a copied link contains them. */
export function useFilters<Name extends string>(defaults: Readonly<Record<Name, string>>): Filters<Name> {
  const { path, route } = useLocation();
  const query = useQuery();
  const names = Object.keys(defaults) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, query[name] ?? defaults[name]])) as Record<Name, string>;

  function show(chosen: Readonly<Record<Name, string>>): void {
    const search = new URLSearchParams(query);
    for (const name of names) {
      if (chosen[name] === defaults[name]) search.delete(name);
      else search.set(name, chosen[name]);
    }
    route(search.size === 0 ? path : `${path}?${search}`, true);
  }
  return {
    values,
    change: (changes) => show({ ...values, ...changes }),
    changed: names.filter((name) => values[name] !== defaults[name]).length,
    reset: () => show(defaults),
  };
}
