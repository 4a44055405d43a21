import type { ComponentChildren } from 'preact';
import { countText } from '#lib/apps/web/format.ts';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';

interface SelectionBarProps<Row> {
  readonly label: string;
  readonly selection: Selection<Row>;
  /** The rows on the page that can be selected. */
  readonly selectable: readonly Row[];
  readonly selected: readonly Row[];
  /** The sum of the selected rows in each currency. */
  readonly total: string;
  /** The actions, each with the text of its button. */
  readonly actions: readonly { readonly text: string; readonly onClick: () => void }[];
  /** The dialog of an action that the person has chosen. */
  readonly children: ComponentChildren;
}

/** A bar above a list. Its actions apply to the selected rows or, if none is selected, to all. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { label, selection, selectable, selected, total, actions, children } = props;
  const hasSelected = selected.length > 0;
  return (
    <div class="bulk-bar" role="group" aria-label={label}>
      {hasSelected && (
        <span role="status">
          {countText(selected.length)} selected, {total}
        </span>
      )}
      {actions.map(({ text, onClick }) => (
        <SmallButton key={text} text={text} onClick={onClick} />
      ))}
      {selected.length < selectable.length && (
        <SmallButton text="Select all shown" onClick={() => selection.set(selectable, true)} />
      )}
      {hasSelected && <SmallButton text="Clear selection" onClick={selection.clear} />}
      {children}
    </div>
  );
}

const SmallButton = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <button type="button" class="button small" onClick={onClick}>
    {text}
  </button>
);
