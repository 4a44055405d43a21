import { useLocation, useRoute } from 'preact-iso';

/**
 * The query of the shown page's address. While the script of the next page is loading, the browser's address is already
 * the next page's, but the router still shows this page; with the next page's query, it would load wrong data.
 */
export function useQuery(): Readonly<Record<string, string>> {
  const location = useLocation();
  // A page outside a router has no route, so it uses the browser's address.
  const route: Partial<ReturnType<typeof useRoute>> = useRoute();
  return route.query ?? location.query;
}
