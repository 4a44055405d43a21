import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { useObjection } from '#lib/apps/web/parts/forms/form.tsx';
import type { Option } from '#lib/apps/web/parts/forms/option.ts';

interface FieldProps {
  /** Name of the field in the API. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The unit shown after the input, such as `days`. */
  readonly unit?: string;
  readonly type?: 'text' | 'email' | 'date' | 'password';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: 'off';
  readonly placeholder?: string;
  readonly defaultValue?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
  readonly size?: number;
  readonly onInput?: (value: string) => void;
}

/** An input for one line of text or for a number. */
export function Field({ name, label, hint, unit, type = 'text', onInput, ...input }: FieldProps) {
  const field = useField(name, label, hint);
  // The cast is needed, because Preact's types allow a role only for some types of input, and the type is not known
  // here.
  const attributes = { type, ...input, ...field.attributes } as InputHTMLAttributes;
  return (
    <Labelled {...field} label={label} hint={hint}>
      <span class="input-row">
        <input {...attributes} onInput={(event) => onInput?.(event.currentTarget.value)} />
        {unit && <span class="unit">{unit}</span>}
      </span>
    </Labelled>
  );
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly options: readonly Option[];
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

/** An input with a list of values of which one is selected. Default: the first. */
export function Select({ name, label, hint, options, value, onChange }: SelectProps) {
  const field = useField(name, label, hint);
  return (
    <Labelled {...field} label={label} hint={hint}>
      <select {...field.attributes} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly defaultValue?: string;
  readonly rows?: number;
  readonly required?: boolean;
  /** Whether each line is one entry, such as an address. */
  readonly isList?: boolean;
  readonly onInput?: (value: string) => void;
}

export function TextArea({ name, label, hint, isList, onInput, ...area }: TextAreaProps) {
  const field = useField(name, label, hint);
  return (
    <Labelled {...field} label={label} hint={hint}>
      <textarea
        class={isList ? 'list' : undefined}
        {...area}
        {...field.attributes}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
    </Labelled>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly defaultChecked?: boolean;
  readonly onChange?: (isChecked: boolean) => void;
}

export function Checkbox({ name, label, hint, defaultChecked, onChange }: CheckboxProps) {
  const { id, attributes } = useField(name, label, hint);
  return (
    <div class="field checkbox">
      <input
        type="checkbox"
        {...attributes}
        defaultChecked={defaultChecked}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Connects an input with its label, its hint, and the service's error message about it. */
function useField(name: string, label: string, hint: ComponentChildren) {
  const id = useId();
  const said = useObjection(name);
  // An error message of the service begins with the field's API name, which is replaced by the label.
  const objection = said?.startsWith(name) ? `${label}${said.slice(name.length)}` : said;
  const describedBy = [hint && `${id}-hint`, objection && `${id}-objection`].filter(Boolean).join(' ');
  const attributes = {
    id,
    name,
    'aria-invalid': objection ? ('true' as const) : undefined,
    'aria-describedby': describedBy || undefined,
  };
  return { id, objection, attributes };
}

interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly objection?: string;
  readonly children: ComponentChildren;
}

const Labelled = ({ id, label, hint, objection, children }: LabelledProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {objection && (
      <p class="objection" id={`${id}-objection`} role="alert">
        {objection}
      </p>
    )}
  </div>
);
