import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Conflict } from '#lib/apps/web/api-error.ts';
import type { Entered } from '#lib/apps/web/entered.ts';
import { enteredIn } from '#lib/apps/web/entered-in.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useUnsaved } from '#lib/apps/web/hooks/use-unsaved.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { mayLeave } from '#lib/apps/web/unsaved.ts';

/** A form as what surrounds it works with it. */
export interface FormHandle {
  readonly element: HTMLFormElement;
  /** What stood in it before the person entered something. */
  readonly before: RefObject<Entered>;
  readonly isUnsaved: () => boolean;
  /** What stands in it now is what stood in it before. */
  readonly settle: () => void;
  readonly send: () => void;
}

export interface FormProps {
  readonly submit: string;
  readonly onSubmit: (entered: Entered) => Promise<void>;
  readonly onCancel?: () => void;
  readonly handle?: RefObject<FormHandle | undefined>;
  /** Stands in the place of the service's error when somebody else has changed the same meanwhile. */
  readonly onConflict?: (conflict: Conflict) => ComponentChildren;
  readonly isDangerous?: boolean;
  /** Nothing in it can be entered, so nothing is sent. */
  readonly isReadOnly?: boolean;
  /** Says so below the button until somebody goes on entering; for forms that stay. */
  readonly saysSaved?: boolean;
  readonly children?: ComponentChildren;
}

/** The field that the service objects to. */
interface Objection {
  readonly field: string;
  readonly message: string;
}

const ObjectionContext = createContext<Objection | undefined>(undefined);

/** Why the service did not take a field's value. */
export function useObjection(field: string): string | undefined {
  const objection = useContext(ObjectionContext);
  return objection?.field === field ? objection.message : undefined;
}

/** A form. The service's error is shown at its field, any other above the button. */
export function Form({ handle, onConflict, ...props }: FormProps) {
  const { submit, onSubmit, onCancel, isDangerous, isReadOnly, saysSaved, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useUnsaved(form);
  const [isSaved, setSaved] = useState(false);
  const action = useAction(async () => {
    setSaved(false);
    try {
      await onSubmit(enteredIn(form.current!));
      unsaved.settle();
      setSaved(true);
    } catch (error) {
      focusField(form.current, fieldOf(error as ApiError));
      throw error;
    }
  });
  // Focuses the first field: a dialog would focus its closing button. Some fields load later.
  useEffect(() => {
    if (form.current?.closest('dialog')) form.current.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  useEffect(() => {
    if (!handle) return;
    const { settle, isUnsaved, before } = unsaved;
    handle.current = { element: form.current!, before, isUnsaved, settle, send: action.run };
  });
  const field = action.error && fieldOf(action.error);
  const isAtField = field !== undefined && form.current?.elements.namedItem(field) != null;
  const objection = isAtField ? { field, message: action.error!.message } : undefined;

  function send(event: Event): void {
    event.preventDefault();
    action.run();
  }
  function noteInput(): void {
    setSaved(false);
    unsaved.listeners.onInput();
  }
  const { conflict } = action.error ?? {};
  return (
    <form ref={form} onSubmit={send} onInput={noteInput} onFocusIn={unsaved.listeners.onFocusIn}>
      <ObjectionContext.Provider value={objection}>{children}</ObjectionContext.Provider>
      {conflict && onConflict ? onConflict(conflict) : action.error && !isAtField && <Failure error={action.error} />}
      {!isReadOnly && (
        <div class="form-buttons">
          <button class={`button ${isDangerous ? 'danger' : 'primary'}`} aria-disabled={action.isPending}>
            {action.isPending ? 'One moment…' : submit}
          </button>
          {onCancel && (
            <button type="button" class="button" onClick={() => mayLeave(form.current!) && onCancel()}>
              Cancel
            </button>
          )}
        </div>
      )}
      {saysSaved && isSaved && (
        <p class="saved" role="status">
          Saved.
        </p>
      )}
    </form>
  );
}

/** Messages of the service begin with the field's name, or with "Invalid" and the name. */
const fieldOf = ({ message }: ApiError): string | undefined => /^(?:Invalid )?([a-z_]+)\b/.exec(message)?.[1];

function focusField(form: HTMLFormElement | null, field: string | undefined): void {
  const element = field === undefined ? null : form?.elements.namedItem(field);
  if (element instanceof HTMLElement) element.focus();
}
