import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Filters } from '#lib/apps/web/hooks/use-filters.ts';

interface FilterBarProps {
  readonly filters: Pick<Filters<string>, 'changed' | 'reset'>;
  readonly children: ComponentChildren;
}

/** The filters of a list. On narrow screens, a button opens them; it shows how many filters are set. */
export function FilterBar({ filters: { changed, reset }, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div class={`filter-bar ${isOpen ? 'open' : ''}`}>
      <button
        type="button"
        class="button filter-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {changed === 0 ? 'Filters' : `Filters (${changed})`}
      </button>
      <div class="filters" id={id}>
        {children}
        {changed > 0 && (
          <button type="button" class="button quiet-text" onClick={reset}>
            Reset
          </button>
        )}
      </div>
    </div>
  );
}
