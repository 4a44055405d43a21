import * as z from 'zod/mini';
import { bodyIsNoJsonObject, bodyTooLarge, missingFields, type Refusal } from '#lib/service/ground/values/refusals.ts';
import { metadata, named } from '#lib/wire/words/fields.ts';
import { type ErrorStyle, refusalReply } from '#lib/wire/errors/refusal-reply.ts';

/** Placeholder for any number in a documented refusal. */
export const ANY_NUMBER = Number.MAX_SAFE_INTEGER;
/** Placeholder for any text in a documented refusal. Other names in braces are placeholders too. */
export const ANY_TEXT = '{value}';

/** Refusals of every route that reads a body. */
export const bodyRefusals: readonly Refusal[] = [bodyIsNoJsonObject(), bodyTooLarge()];

/** Refusals of a body whose fields are all required. */
export const completeBodyRefusals = ({ shape }: z.ZodMiniObject): readonly Refusal[] => [
  ...bodyRefusals,
  missingFields(Object.keys(shape)),
];

export interface ErrorBodies {
  readonly style: Pick<ErrorStyle, 'stableCodes'>;
  /** Errors may have warnings, too: about a key that is marked for rotation, or about the request. */
  readonly warnings: z.ZodMiniType | undefined;
}

/**
 * Schemas of the bodies of refusals, built by the function that builds the replies. Refusals that differ only in their
 * message share a schema.
 */
export const errorBodies = (refusals: readonly Refusal[], how: ErrorBodies): z.ZodMiniType[] =>
  byShape(refusals, how).map(([first, ...others]) =>
    bodyOf(first, how, textOf([...new Set([first, ...others].map(({ message }) => message))])),
  );

/** Schemas of refusals with any message, by the names of components that all operations share. */
export const errorShapes = (refusals: readonly Refusal[], how: ErrorBodies): ReadonlyMap<string, z.ZodMiniType> =>
  new Map(
    byShape(refusals, how)
      .map(([first]) => [nameOf(first, how), first] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, first]) => [name, sharedShape(name, first, how)]),
  );

type Alike = readonly [Refusal, ...Refusal[]];

const byShape = (refusals: readonly Refusal[], { style }: ErrorBodies): Alike[] =>
  [
    ...(Map.groupBy(refusals, (refusal) => shapeOf(refusal, style)) as ReadonlyMap<string, unknown>).values(),
  ] as Alike[];

const shapeOf = (refusal: Refusal, style: ErrorBodies['style']): string =>
  JSON.stringify(refusalReply(refusal, style).body, (key, value: unknown) => (key === 'message' ? undefined : value));

interface SampleBody extends Sample {
  readonly error: Sample & { readonly name?: string; readonly code?: string; readonly details?: Sample };
}

function bodyOf(refusal: Refusal, { style, warnings }: ErrorBodies, message: z.ZodMiniType): z.ZodMiniType {
  const { error, ...beside } = refusalReply(refusal, style).body as unknown as SampleBody;
  return z.strictObject({
    ...mapped(beside),
    error: z.strictObject({ ...mapped(error), message }),
    // After the deadline of a key, requests are refused and get no warning about the deadline.
    ...(warnings && error.code !== 'api_key_rotation_required' && { warnings: z.optional(warnings) }),
  });
}

/** The component's name: the error's name and code, then what else distinguishes the body. */
function nameOf(refusal: Refusal, { style, warnings }: ErrorBodies): string {
  const { name, code, details = {} } = (refusalReply(refusal, style).body as unknown as SampleBody).error;
  const flags = Object.entries(details).map(([key, value]) => (value === false ? `not_${key}` : key));
  return [name, code, ...flags, warnings && metadata.get(warnings)?.id].filter((part) => part !== undefined).join('.');
}

const shared = new Map<string, { readonly shape: string; readonly schema: z.ZodMiniType }>();

/**
 * The shape that all bodies with this component name have.
 * @throws Error if bodies with the same name have different shapes
 */
function sharedShape(name: string, refusal: Refusal, how: ErrorBodies): z.ZodMiniType {
  const shape = shapeOf(refusal, how.style);
  const known = shared.get(name) ?? { shape, schema: named(name, bodyOf(refusal, how, z.string())) };
  if (known.shape !== shape) throw new Error(`Two bodies would be called ${name}: ${known.shape} and ${shape}`);
  shared.set(name, known);
  return known.schema;
}

export const errorStatus = (refusal: Refusal): number => refusalReply(refusal, {}).statusCode;

type Sample = Readonly<Record<string, unknown>>;

/** Schemas of fields for which no schema can be derived from a sample body. */
const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  changed: z.record(z.string(), z.unknown()),
  by: z.nullable(z.strictObject({ name: z.string() })),
  at: z.nullable(z.string()),
};

const mapped = (sample: Sample): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, schemas[key] ?? schemaOf(value, key)]));

/**
 * The schema of a value in a sample body. Fixed texts become constants; numbers, except for the status, may have any
 * value.
 */
function schemaOf(value: unknown, key: string): z.ZodMiniType {
  if (value === null) return z.null();
  if (typeof value === 'string') return textOf([value]);
  if (typeof value === 'number') return key === 'status' ? z.literal(value) : z.int().check(z.positive());
  return typeof value === 'boolean' ? z.literal(value) : z.strictObject(mapped(value as Sample));
}

/** A schema for a text that is one of several, in which names in braces and `ANY_NUMBER` may be anything. */
function textOf(texts: readonly string[]): z.ZodMiniType {
  const constant = texts.filter((text) => !isPattern(text));
  const patterns = texts.filter(isPattern).map((text) => z.string().check(z.regex(patternOf(text))));
  const all = [...(constant.length > 0 ? [z.literal(constant)] : []), ...patterns];
  return all.length === 1 ? all[0]! : z.union(all);
}

const isPattern = (text: string): boolean => PLACEHOLDER.test(text);

const PLACEHOLDER = new RegExp(String.raw`\{\w+\}|${ANY_NUMBER}`);

function patternOf(text: string): RegExp {
  const fixed = text.split(PLACEHOLDER).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join(String.raw`[\s\S]*`)}$`);
}
