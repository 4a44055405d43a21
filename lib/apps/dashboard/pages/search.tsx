import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { useQuery } from '#lib/apps/web/hooks/use-query.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Skeleton } from '#lib/apps/web/parts/table/skeleton.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { ResultGroups } from '#lib/apps/dashboard/search/result-groups.tsx';
import { onlyExact, resultPath } from '#lib/apps/dashboard/search/search-results.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

/**
 * Shows the results for a text of the search box. If the text is exactly the identifier of one result, opens the page
 * of that result.
 */
export function SearchPage() {
  const { api } = useSession();
  const { program, path } = useProgram();
  const { route } = useLocation();
  const query = useQuery();
  const text = (query.q ?? '').trim();
  const found = useLoaded(
    async () => ({ text, results: text === '' ? [] : await api.get<SearchResult[]>(`${path}/search`, { q: text }) }),
    [api, path, text],
  );
  const ready = found.state === 'ready' && found.value.text === text ? found.value : undefined;
  const only = ready && onlyExact(ready.results, text);

  // In the browser's history, the result's page replaces this one, so that Back leads to the page before the search.
  useEffect(() => {
    if (only) route(resultPath(only, program.id), true);
  }, [only]);

  if (text === '') {
    return (
      <Page title="Search">
        <div class="card">
          <Empty title="Type into the search box">
            <WhatCanBeFound />
          </Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page title={`Search: ${text}`}>
      <WhenLoaded of={found}>{({ results }) => (only ? <Skeleton /> : <Found results={results} />)}</WhenLoaded>
    </Page>
  );
}

const Found = ({ results }: { readonly results: readonly SearchResult[] }) =>
  results.length === 0 ? (
    <div class="card" role="status">
      <Empty title="Nothing found">
        <WhatCanBeFound />
      </Empty>
    </div>
  ) : (
    <>
      <p class="hint results-count" role="status">
        {countOf(results.length, 'result')}
      </p>
      <ResultGroups results={results} />
    </>
  );

const WhatCanBeFound = () => (
  <p>
    You can search for a partner by the beginnings of words of the name or address, for a link or code in the same way,
    for a recent sale or customer by a part of your id, and for any sale or customer by the complete transaction id,
    your id, e-mail address or click id.
  </p>
);
