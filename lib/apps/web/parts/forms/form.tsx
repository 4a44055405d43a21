import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Conflict } from '#lib/apps/web/api/api-error.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { useUnsaved } from '#lib/apps/web/hooks/use-unsaved.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { mayLeave } from '#lib/apps/web/forms/unsaved.ts';

/** Lets other components read and control the form. */
export interface FormHandle {
  readonly element: HTMLFormElement;
  /** What the form contained before the person entered anything. */
  readonly before: RefObject<Entered>;
  readonly isUnsaved: () => boolean;
  /** From now on, the form's present content counts as saved. */
  readonly settle: () => void;
  readonly send: () => void;
}

export interface FormProps {
  readonly submit: string;
  /** Sends what the person entered. Returns false if the person decided not to send it. */
  readonly onSubmit: (entered: Entered) => Promise<void | false>;
  readonly onCancel?: () => void;
  /** Further buttons after the submit button. */
  readonly further?: ComponentChildren;
  readonly handle?: RefObject<FormHandle | undefined>;
  /** Returns what is shown instead of an error message, if another person has changed the same object. */
  readonly onConflict?: (conflict: Conflict) => ComponentChildren;
  readonly isDangerous?: boolean;
  /** True if the person cannot change anything. The form then has no button. */
  readonly isReadOnly?: boolean;
  /** If true, the form says "Saved." below its button until the next input. This is for forms that stay open. */
  readonly saysSaved?: boolean;
  readonly children?: ComponentChildren;
}

/** An error message of the service that concerns one field. */
interface Objection {
  readonly field: string;
  readonly message: string;
}

const ObjectionContext = createContext<Objection | undefined>(undefined);

/** Returns the service's error message about a field, if there is one. */
export function useObjection(field: string): string | undefined {
  const objection = useContext(ObjectionContext);
  return objection?.field === field ? objection.message : undefined;
}

/** A form. An error of the service is shown at the field that it concerns, or otherwise above the button. */
export function Form({ handle, onConflict, ...props }: FormProps) {
  const { submit, onSubmit, onCancel, further, isDangerous, isReadOnly, saysSaved, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useUnsaved(form);
  const [isSaved, setSaved] = useState(false);
  const action = useAction(async () => {
    setSaved(false);
    try {
      if ((await onSubmit(enteredIn(form.current!))) === false) return;
      unsaved.settle();
      setSaved(true);
    } catch (error) {
      focusField(form.current, fieldOf(error as ApiError));
      throw error;
    }
  });
  // Focuses the first field of a form in a dialog, because the browser would focus the dialog's close button. Some
  // fields load later and are not considered.
  useEffect(() => {
    if (form.current?.closest('dialog')) form.current.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  useLayoutEffect(() => {
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
          {further}
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

/**
 * Finds the field that an error message concerns: the message begins with the field's name, or with "Invalid" and the
 * name.
 */
const fieldOf = ({ message }: ApiError): string | undefined => /^(?:Invalid )?([a-z_]+)\b/.exec(message)?.[1];

function focusField(form: HTMLFormElement | null, field: string | undefined): void {
  const element = field === undefined ? null : form?.elements.namedItem(field);
  if (element instanceof HTMLElement) element.focus();
}
