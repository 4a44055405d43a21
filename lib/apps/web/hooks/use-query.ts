import { useLocation, useRoute } from 'preact-iso';

/**
 * The query of the page's own address. While the script of the next page is loaded, the router still shows this one, and
 * the location is the next one's already: this page would ask for something without what its address named.
 */
export function useQuery(): Readonly<Record<string, string>> {
  const location = useLocation();
  // Pages outside a router have no route.
  const route: Partial<ReturnType<typeof useRoute>> = useRoute();
  return route.query ?? location.query;
}
