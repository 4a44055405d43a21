import * as z from 'zod/mini';

/** The constraint of a field as JSON Schema. */
export interface Bounds {
  readonly type?: 'integer';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly uniqueItems?: true;
}

/**
 * Arguments for `z.refine`: the refusal's text, and the constraint that the document shows. Zod's own checks, such as
 * `z.int()` and `z.minLength()`, would document themselves, but add 2 kB to the bundles of the tracking functions.
 */
export const outOfBounds = (error: string, params: Bounds) => ({ error, params });

/** A non-negative whole number. */
export function integer(bounds: Pick<Bounds, 'minimum' | 'exclusiveMinimum' | 'maximum'>, text: string) {
  const { exclusiveMinimum = -1, minimum = exclusiveMinimum + 1, maximum = Infinity } = bounds;
  const isWithin = (value: number) => Number.isSafeInteger(value) && value >= minimum && value <= maximum;
  return z.number(text).check(z.refine(isWithin, outOfBounds(text, { type: 'integer', ...bounds })));
}

/** The constraints that the document shows for a schema, collected from its checks. */
export function boundsOf(schema: z.core.$ZodType): Bounds {
  const checks = (schema as z.core.$ZodTypes)._zod.def.checks ?? [];
  return Object.assign({}, ...checks.map((check) => (check._zod.def as { params?: Bounds }).params));
}
