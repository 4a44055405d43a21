import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { groupsOf, resultPath } from '#lib/apps/dashboard/search/search-results.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

/** Lists search results by kind. Each links to its page. */
export function ResultGroups({ results }: { readonly results: readonly SearchResult[] }) {
  const { program } = useProgram();
  return (
    <div class="stack">
      {groupsOf(results).map(({ kind, title, results: group }) => (
        <section key={kind} class="card" aria-labelledby={`found-${kind}`}>
          <h2 id={`found-${kind}`}>{title}</h2>
          <ul class="results">
            {group.map((result) => (
              <li key={result.id}>
                <a href={resultPath(result, program.id)}>{result.label}</a>
                <div class="muted">{result.detail}</div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
