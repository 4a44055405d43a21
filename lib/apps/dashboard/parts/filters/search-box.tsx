import { useLocation } from 'preact-iso';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { searchPath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { groupsOf, resultPath } from '#lib/apps/dashboard/search/search-results.ts';
import { type Suggestions, useSuggestions } from '#lib/apps/dashboard/search/use-suggestions.ts';
import { mayLeave } from '#lib/apps/web/forms/unsaved.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { SearchResult } from '#lib/wire/reports/search.ts';

interface SearchBoxProps {
  readonly programId: number;
  /** Called to make the box visible. On narrow screens, it is hidden until a button is pressed. */
  readonly onShow: () => void;
  readonly onSearch: () => void;
}

const NONE = -1;
const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/**
 * A box that searches a program's data and shows results while a person types. The key `/` focuses it. On the page with
 * results, it contains the text of the search.
 */
export function SearchBox({ programId, onShow, onSearch }: SearchBoxProps) {
  const { path, query, route } = useLocation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(NONE);
  const found = useSuggestions(`/programs/${programId}`, typed);
  const groups = groupsOf(found?.results ?? []);
  const results = groups.flatMap((group) => group.results);
  const searched = path === programPath('search', programId) ? (query.q ?? '') : '';

  // The value is not set at each render, because a change of the address would remove what a person is typing.
  useEffect(() => {
    input.current!.value = searched;
  }, [path, searched]);

  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onShow();
      // The box can get the focus only when it is visible, in the next frame.
      requestAnimationFrame(() => input.current?.focus());
    };
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);

  function suggest(): void {
    setTyped(input.current?.value.trim() ?? '');
    setActive(NONE);
  }
  function close(): void {
    setTyped('');
    setActive(NONE);
  }
  function leaveFor(address: string): void {
    if (!mayLeave()) return;
    close();
    onSearch();
    route(address);
  }
  function open(result: SearchResult): void {
    input.current!.value = searched;
    leaveFor(resultPath(result, programId));
  }
  function search(event: Event): void {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    const result = results[active];
    // The results may still be those of a former text.
    if (result && found?.text === text) open(result);
    else if (text !== '') leaveFor(searchPath(programId, text));
  }
  function press(event: KeyboardEvent): void {
    const step = steps.get(event.key);
    if (step !== undefined) {
      event.preventDefault();
      if (typed === '') suggest();
      else setActive(Math.max(NONE, Math.min(results.length - 1, active + step)));
    } else if (event.key === 'Escape' && found) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }
  return (
    <form class="search-box" role="search" onSubmit={search}>
      <input
        ref={input}
        enterkeyhint="search"
        role="combobox"
        autocomplete="off"
        aria-label="Search for a sale, customer, partner, link or code"
        aria-autocomplete="list"
        aria-expanded={found !== undefined}
        aria-controls={`${id}-list`}
        aria-activedescendant={results[active] ? `${id}-${active}` : undefined}
        placeholder="Search"
        maxLength={255}
        onInput={suggest}
        onKeyDown={press}
        onBlur={close}
      />
      {found && (
        // The input keeps the focus, because the list closes when the input loses it.
        <div class="combobox-list" onPointerDown={(event) => event.preventDefault()}>
          <div id={`${id}-list`} class="suggestions" role="listbox" aria-label="Results">
            {groups.map(({ kind, title, results: group }) => (
              <div key={kind} role="group" aria-label={title}>
                <div class="suggestions-kind" aria-hidden="true">
                  {title}
                </div>
                {group.map((result) => {
                  const index = results.indexOf(result);
                  return (
                    <div
                      key={result.id}
                      id={`${id}-${index}`}
                      class="suggestion"
                      role="option"
                      aria-selected={index === active}
                      ref={index === active ? showOption : undefined}
                      onClick={() => open(result)}
                    >
                      {result.label}
                      <span class="muted">{result.detail}</span>
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
          <p class="hint" role="status">
            {hintFor(found)}
          </p>
        </div>
      )}
    </form>
  );
}

const showOption = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

function hintFor({ results, problem }: Suggestions): string {
  if (problem !== undefined) return problem;
  return results.length === 0 ? 'Nothing found' : '';
}
