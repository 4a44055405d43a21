import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { usePartnerName } from '#lib/apps/dashboard/hooks/use-partner-name.ts';
import { type PartnerChoice, type PartnerChoices, partnerFinder } from '#lib/apps/dashboard/lists/partner-choices.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';

interface PartnerComboboxProps {
  /** Id of the input. */
  readonly id: string;
  /** Id of the chosen partner; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The entry for choosing no partner. Undefined if a partner must be chosen. */
  readonly none?: PartnerChoice;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  /** Lists active partners only. */
  readonly isActive?: boolean;
}

const NONE = -1;
const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

const nobody: PartnerChoices = { partners: [], hasOthers: false };

/** How long typing must pause before the service is asked. */
const PAUSE_MS = 200;

/** Finds one partner by name or address, because there may be too many for a list. */
export function PartnerCombobox(props: PartnerComboboxProps): ComponentChildren {
  const { id, value, onChange, none, placeholder, isRequired, isActive } = props;
  const name = usePartnerName(value);
  const [isOpen, setOpen] = useState(false);
  /** The typed text; undefined if the field shows the selected partner. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(NONE);
  const text = typed ?? '';
  const found = useFound(isOpen ? text : undefined, isActive);
  const choices = text === '' && none ? [none, ...found.partners] : found.partners;

  function close(): void {
    setOpen(false);
    setTyped(undefined);
    setActive(NONE);
  }
  function choose(choice: PartnerChoice): void {
    close();
    if (choice.id !== value) onChange(choice.id);
  }
  function leave(): void {
    // Emptying the field deselects the partner.
    if (typed === '' && value !== '') onChange('');
    close();
  }
  function press(event: KeyboardEvent): void {
    const step = steps.get(event.key);
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setActive(Math.max(0, Math.min(choices.length - 1, active + step)));
    } else if (event.key === 'Enter' && isOpen) {
      // Enter chooses, and does not send a surrounding form.
      event.preventDefault();
      const choice = choices[active];
      // Results for an earlier, shorter text may not match the present text.
      if (choice && found.text === text) choose(choice);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    }
  }
  return (
    <>
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        placeholder={placeholder ?? none?.name}
        required={isRequired}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && choices[active] ? `${id}-${active}` : undefined}
        value={typed ?? name}
        onInput={(event) => {
          const now = event.currentTarget.value;
          setOpen(true);
          setTyped(now);
          setActive(now === '' ? NONE : 0);
        }}
        onClick={(event) => {
          if (!isOpen) event.currentTarget.select();
          setOpen(true);
        }}
        onBlur={leave}
        onKeyDown={press}
      />
      {isOpen && (
        // The focus stays in the field, because losing the focus would close the list.
        <div class="combobox-list" onPointerDown={(event) => event.preventDefault()}>
          <ul id={`${id}-list`} role="listbox" aria-label="Partners">
            {choices.map((choice, index) => (
              <li
                key={choice.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                ref={index === active ? showOption : undefined}
                onClick={() => choose(choice)}
              >
                {choice.name}
                {choice.email !== '' && <span class="muted">{choice.email}</span>}
              </li>
            ))}
          </ul>
          <p class="hint" role="status">
            {hintFor(text, found)}
          </p>
        </div>
      )}
    </>
  );
}

const showOption = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

function hintFor(text: string, { partners, hasOthers, problem, text: of }: Found): string {
  if (problem !== undefined) return problem;
  if (hasOthers) return 'Type the beginning of a name, or an address, to find others.';
  return text !== '' && of === text && partners.length === 0 ? 'No partner has this name or address.' : '';
}

interface Found extends PartnerChoices {
  /** The text that was searched for. */
  readonly text?: string;
  /** Error message if the search failed. */
  readonly problem?: string;
}

/** The partners that match the typed text. @param text undefined if no search is in progress */
function useFound(text: string | undefined, isActive?: boolean): Found {
  const { api } = useSession();
  const { path } = useProgram();
  const find = useMemo(() => partnerFinder(api, path, isActive), [api, path, isActive]);
  const [found, setFound] = useState<Found>(nobody);

  useEffect(() => {
    if (text === undefined) return undefined;
    let isLatest = true;
    const show = (now: Found) => {
      if (isLatest) setFound({ ...now, text });
    };
    const ask = () => find(text).then(show, (error: Error) => show({ ...nobody, problem: error.message }));
    const timer = setTimeout(() => void ask(), text === '' ? 0 : PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [find, text]);
  return found;
}
