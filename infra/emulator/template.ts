/** A value in a template: JSON, in which a CloudFormation function is an object with one key. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

export interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly [name: string]: Value };
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export type Properties = { readonly [name: string]: Value };

export const isObject = (value: Value | undefined): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the template with each value replaced by the result of `change`, from the outermost value inwards. Values for
 * which `change` returns undefined stay.
 */
export function replaced<T>(value: T, change: (value: Value) => Value | undefined): T {
  const visit = (one: Value): Value => {
    const other = change(one);
    if (other !== undefined) return other;
    if (Array.isArray(one)) return one.map((each: Value) => visit(each));
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, visit(each)]));
  };
  return visit(value as Value) as T;
}
