import type { Json } from '#lib/wire/document/written-operation.ts';

/** Paths of the document: operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Makes each parameter that several operations use a component, and replaces it there by a reference. */
export function withSharedParameters(paths: Paths): { readonly paths: Paths; readonly parameters: Json } {
  const counts = new Map<string, number>();
  for (const parameter of Object.values(paths).flatMap((path) => Object.values(path).flatMap(parametersOf))) {
    const text = JSON.stringify(parameter);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const parameters: Record<string, Json> = {};
  for (const [text, count] of counts) {
    if (count === 1) continue;
    const parameter = JSON.parse(text) as Json & { readonly name: string };
    const name = freeName(parameter.name, parameters);
    names.set(text, name);
    parameters[name] = parameter;
  }
  const referring = (parameter: Json): Json => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return {
    parameters,
    paths: mapped(paths, (path) =>
      mapped(path, (operation) => ({
        ...operation,
        ...('parameters' in operation && { parameters: parametersOf(operation).map(referring) }),
      })),
    ),
  };
}

const parametersOf = (operation: Json): readonly Json[] => (operation['parameters'] ?? []) as readonly Json[];

/**
 * A component name that is not taken yet. If a parameter's name has several meanings, the second one is called
 * `status.2`.
 */
function freeName(name: string, taken: Json): string {
  let number = 1;
  while ((number === 1 ? name : `${name}.${number}`) in taken) number += 1;
  return number === 1 ? name : `${name}.${number}`;
}

const mapped = <Value, Result>(values: Readonly<Record<string, Value>>, of: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, of(value)]));
