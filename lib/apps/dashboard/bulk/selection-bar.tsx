import type { ComponentChildren } from 'preact';
import { countText } from '#lib/apps/web/format.ts';
import type { Selection } from '#lib/apps/web/parts/table/selection.tsx';

interface SelectionBarProps<Row> {
  readonly label: string;
  readonly selection: Selection<Row>;
  /** The visible rows that can be selected. */
  readonly selectable: readonly Row[];
  readonly selected: readonly Row[];
  /** The sum of the selected rows, with currencies. */
  readonly total: string;
  /** The buttons of the actions, each with its text. */
  readonly actions: readonly { readonly text: string; readonly onClick: () => void }[];
  /** The dialog of an action. */
  readonly children: ComponentChildren;
}

/** A bar above a list, with actions on the selected rows or on all. */
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
