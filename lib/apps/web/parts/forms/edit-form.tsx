import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { Conflict } from '#lib/apps/web/api/api-error.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { enteredIn } from '#lib/apps/web/forms/entered-in.ts';
import { enteredBeside, type Entries } from '#lib/apps/web/forms/kept-entries.ts';
import { ConflictNotice } from '#lib/apps/web/parts/forms/conflict-notice.tsx';
import { Form, type FormHandle, type FormProps } from '#lib/apps/web/parts/forms/form.tsx';
import { putBack } from '#lib/apps/web/forms/put-back.ts';
import { isSame, sendSeen } from '#lib/apps/web/forms/send-seen.ts';

type Values = Readonly<Record<string, unknown>>;

interface EditFormProps<Thing extends object> extends Pick<
  FormProps,
  'submit' | 'onCancel' | 'isReadOnly' | 'saysSaved'
> {
  readonly api: Pick<Api, 'send' | 'now'>;
  /** API path to which the changes are sent. */
  readonly path: string;
  /** The object to edit, as it was loaded. */
  readonly of: Thing;
  /** Converts what the person entered to fields of the API. */
  readonly fieldsIn: (entered: Entered) => Values;
  /** Asks the person to confirm the changed fields before they are sent. @returns whether they may be sent */
  readonly confirm?: (changes: Values) => Promise<boolean>;
  readonly onSaved: (saved: Thing) => void | Promise<void>;
  /** Fields that are objects, of which only the changed entries are sent. Entries that are not sent stay unchanged. */
  readonly inParts?: readonly string[];
  /** Describes values that are not a plain text or number, for the notice about a conflict. */
  readonly textOf?: (field: string, value: unknown) => string | undefined;
  readonly children: (of: Thing) => ComponentChildren;
}

interface Begun<Thing> {
  readonly of: Thing;
  /** Increases when the inputs must be created again. */
  readonly round: number;
  /** Values that are entered again in the new inputs, and then sent. */
  readonly entries?: Entries;
}

/**
 * A form for an object that several people may edit. It sends only the changed fields, each with its previous value. If
 * another person has changed one of these fields since the form was loaded, the person at the form chooses between the
 * two values.
 */
export function EditForm<Thing extends object>(props: EditFormProps<Thing>) {
  const { api, path, of: read, fieldsIn, confirm, onSaved, inParts = [], textOf, children, ...look } = props;
  const handle = useRef<FormHandle | undefined>(undefined);
  const [begun, setBegun] = useState<Begun<Thing>>({ of: read, round: 0 });
  const seen = useRef(read);
  const sent = useRef<Values>({});

  // The object was loaded again. If the form has unsaved input, nothing happens: the input stays, and so do the
  // previous values that are sent with it.
  useEffect(() => {
    const { isUnsaved, element } = handle.current!;
    if (isUnsaved()) return;
    seen.current = read;
    const fields = Object.keys(fieldsIn(enteredIn(element)));
    if (fields.every((field) => isSame((read as Values)[field], (begun.of as Values)[field]))) return;
    setBegun({ of: read, round: begun.round + 1 });
  }, [read]);

  useLayoutEffect(() => {
    if (begun.round === 0) return;
    const { element, settle } = handle.current!;
    settle();
    if (begun.entries) void putBack(element, begun.entries).then(() => handle.current?.send());
  }, [begun.round]);

  async function save(entered: Entered): Promise<void | false> {
    const { element, before: begunWith } = handle.current!;
    const before = fieldsIn(begunWith.current);
    const fields = fieldsIn(entered);
    const changes = { ...changesBetween(before, fields), ...blankIn(element, fields) };
    sent.current = Object.fromEntries(
      Object.entries(changes).map(([field, value]) => [
        field,
        inParts.includes(field) ? changesBetween(before[field] as Values, value as Values) : value,
      ]),
    );
    if (confirm && Object.keys(changes).length > 0 && !(await confirm(changes))) return false;
    if (Object.keys(changes).length > 0) seen.current = await sendSeen(api, path, seen.current, sent.current);
    // If the service stores a value in another spelling than the person entered, the stored spelling is shown.
    const isAsEntered = Object.keys(changes).every(
      (field) => inParts.includes(field) || isSame(fields[field], (seen.current as Values)[field]),
    );
    setBegun(({ round }) => ({ of: seen.current, round: isAsEntered ? round : round + 1 }));
    await onSaved(seen.current);
    return undefined;
  }

  function decide(theirs: Values, kept: readonly string[]): void {
    const { element, before, send } = handle.current!;
    seen.current = { ...seen.current, ...theirs };
    if (kept.length === 0) return send();
    const entries = enteredBeside(kept, enteredIn(element), before.current, fieldsIn);
    const shown = Object.fromEntries(kept.map((field) => [field, theirs[field]]));
    setBegun(({ of, round }) => ({ of: { ...of, ...shown }, round: round + 1, entries }));
  }

  /**
   * The conflicting fields about which the person must decide. A field that already has the wanted value needs no
   * decision.
   */
  const toDecide = ({ changed }: Conflict): Values =>
    Object.fromEntries(Object.entries(changed).filter(([field, value]) => !isSame(value, sent.current[field])));

  return (
    <Form
      {...look}
      handle={handle}
      onSubmit={save}
      onConflict={(conflict) => (
        <ConflictNotice
          key={JSON.stringify(conflict)}
          conflict={{ ...conflict, changed: toDecide(conflict) }}
          now={api.now()}
          textOf={textOf}
          onDecided={(kept) => decide(conflict.changed, kept)}
        />
      )}
    >
      <Fragment key={begun.round}>{children(begun.of)}</Fragment>
    </Form>
  );
}

const changesBetween = (before: Values, after: Values): Values =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => value !== undefined && !isSame(value, before[field])),
  );

/** Empty required fields are sent even if they are unchanged, so that the service's error explains them. */
const blankIn = (form: HTMLFormElement, fields: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const input = form.elements.namedItem(name);
      return value === '' && input instanceof HTMLInputElement && input.required;
    }),
  );
