import { useLocation, useRoute } from 'preact-iso';

/**
 * The query of the page's own address. While the next page's script is loading, the router still shows this page
 * although the location has changed: with the new query this page would load wrong data.
 */
export function useQuery(): Readonly<Record<string, string>> {
  const location = useLocation();
  // Pages outside a router have no route.
  const route: Partial<ReturnType<typeof useRoute>> = useRoute();
  return route.query ?? location.query;
}
