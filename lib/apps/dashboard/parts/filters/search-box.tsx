import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { searchPath } from '#lib/apps/dashboard/lists/query-paths.ts';
import { mayLeave } from '#lib/apps/web/forms/unsaved.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

interface SearchBoxProps {
  readonly programId: number;
  /** Makes the box visible if a button hides it. */
  readonly onShow: () => void;
  readonly onSearch: () => void;
}

/**
 * Finds a sale, customer, partner or link of the program. The key `/` focuses the box. On the results page, the box
 * shows the text of the search.
 */
export function SearchBox({ programId, onShow, onSearch }: SearchBoxProps) {
  const { path, query, route } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const searched = path === programPath('search', programId) ? (query.q ?? '') : '';

  // The input is not controlled by `value`, so that a change of the page's address does not remove text being typed.
  useEffect(() => {
    input.current!.value = searched;
  }, [path, searched]);

  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onShow();
      // Focuses the box once it has been drawn.
      requestAnimationFrame(() => input.current?.focus());
    };
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);

  function search(event: Event): void {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text === '' || !mayLeave()) return;
    onSearch();
    route(searchPath(programId, text));
  }
  return (
    <form class="search-box" role="search" onSubmit={search}>
      <input
        ref={input}
        type="search"
        aria-label="Search for a sale, customer, partner or link"
        placeholder="Search"
        maxLength={255}
      />
    </form>
  );
}
