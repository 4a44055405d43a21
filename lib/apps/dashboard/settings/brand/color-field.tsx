import { useState } from 'preact/hooks';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';

const COLOR = /^#[0-9a-f]{6}$/i;
/** The color with which the browser's dialog opens if the field is empty. */
const USUAL = '#3b54d6';

/** An input for a color, which may be empty, next to a button that opens the browser's color dialog. */
export function ColorField({ defaultValue }: { readonly defaultValue: string }) {
  const [entered, setEntered] = useState(defaultValue);

  function choose(dialog: HTMLInputElement): void {
    const text = dialog.form!.elements.namedItem('accent_color') as HTMLInputElement;
    text.value = dialog.value;
    setEntered(dialog.value);
  }
  return (
    <div class="color-field">
      <Field
        name="accent_color"
        label="Color of buttons, links and charts"
        size={10}
        placeholder={USUAL}
        defaultValue={defaultValue}
        onInput={setEntered}
      />
      <input
        type="color"
        class="color-dialog"
        aria-label="Choose a color"
        value={COLOR.test(entered) ? entered.toLowerCase() : USUAL}
        onInput={({ currentTarget }) => choose(currentTarget)}
      />
    </div>
  );
}
