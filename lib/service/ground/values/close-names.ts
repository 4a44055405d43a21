/** Field names of one call, used to recognise misspelt fields. */
export interface FieldNames {
  readonly known: ReadonlySet<string>;
  /** The names with which an unknown field name is compared, each with the field to suggest if they are similar. */
  readonly models: readonly Model[];
  /** Fields of other calls. They are not misspellings, unless they are listed as another name of a field. */
  readonly elsewhere: ReadonlySet<string>;
}

interface Model {
  readonly name: string;
  readonly meant: string;
}

type Sent = Readonly<Record<string, unknown>>;

/**
 * The names with which unknown fields are compared.
 * @param others common alternative names, each with the field it suggests
 * @param elsewhere fields of other calls, which are not misspellings
 */
export const fieldNames = (
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
  elsewhere: readonly string[] = [],
): FieldNames => ({
  known: new Set(known),
  models: [
    ...known.map((name) => ({ name, meant: name })),
    ...Object.entries(others).map(([name, meant]) => ({ name, meant })),
  ],
  elsewhere: new Set(elsewhere),
});

/** An unknown field name and the field that was probably intended. */
export interface MisspeltField {
  readonly name: string;
  readonly meant: string;
}

/** The first misspelt field, in the order in which the fields were sent. */
export function misspeltField(sent: Sent, names: FieldNames): MisspeltField | undefined {
  for (const name of Object.keys(sent)) {
    const meant = intendedName(name, sent, names);
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

/** The known field closest to an unknown name, excluding fields that were sent. */
export function intendedName(name: string, sent: Sent, { known, models, elsewhere }: FieldNames): string | undefined {
  if (known.has(name) || isAbsent(sent[name])) return undefined;
  let closest: { readonly meant: string; readonly steps: number } | undefined;
  for (const model of models) {
    if (!isAbsent(sent[model.meant]) || (elsewhere.has(name) && name !== model.name)) continue;
    const steps = stepsBetween(name, model.name);
    if (steps !== undefined && steps < (closest?.steps ?? Infinity)) closest = { meant: model.meant, steps };
  }
  return closest?.meant;
}

/** JSON `null` counts as an absent field. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** In names of at least this length two letters may differ, in shorter names only one. */
const LONG_NAME = 8;

/** The distance between a name and a known one; undefined if they are not close. */
function stepsBetween(name: string, known: string): number | undefined {
  const [sent, model] = [name.toLowerCase(), known.toLowerCase()];
  if (withoutSeparators(sent) === withoutSeparators(model)) return 0;
  const most = known.length >= LONG_NAME ? 2 : 1;
  if (Math.abs(sent.length - model.length) > most) return undefined;
  const steps = distance(sent, model);
  return steps <= most ? steps : undefined;
}

const withoutSeparators = (name: string): string => name.replaceAll(/[_-]/g, '');

/** The edit distance: letters added, removed or changed, or neighbours swapped. */
function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[j - 2]! + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length]!;
}
