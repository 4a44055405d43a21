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
  /** The option for no partner. Undefined if a partner must be chosen. */
  readonly none?: PartnerChoice;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  /** If true, only active partners are listed. */
  readonly isActive?: boolean;
}

const NONE = -1;
const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

const nobody: PartnerChoices = { partners: [], hasOthers: false };

/** The service is asked when no key was pressed for this time. */
const PAUSE_MS = 200;

/** An input that finds a partner by name or address. There may be too many partners for a list of all. */
export function PartnerCombobox(props: PartnerComboboxProps): ComponentChildren {
  const { id, value, onChange, none, placeholder, isRequired, isActive } = props;
  /** The partner that was chosen here, whose name needs no request. */
  const [chosen, setChosen] = useState<PartnerChoice>();
  const known = value !== '' && chosen?.id === value ? chosen.name : undefined;
  const asked = usePartnerName(known === undefined ? value : '');
  const [isOpen, setOpen] = useState(false);
  /** The text that is being typed; undefined if the input shows the chosen partner. */
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
    setChosen(choice);
    if (choice.id !== value) onChange(choice.id);
  }
  function leave(): void {
    // If the person empties the input, no partner is chosen.
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
      // Enter chooses a partner here. It must not send the form that contains the input.
      event.preventDefault();
      const choice = choices[active];
      // The results may still be those of a shorter text that was typed before.
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
        value={typed ?? known ?? asked}
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
        // The input keeps the focus, because the list closes when the input loses it.
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
  /** The text for which these results were found. */
  readonly text?: string;
  /** The message of the error, if the search failed. */
  readonly problem?: string;
}

/** Finds the partners that match a text. @param text undefined if nothing is being typed */
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
