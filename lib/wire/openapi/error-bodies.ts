import * as z from 'zod/mini';
import { bodyIsNoJsonObject, bodyTooLarge, missingFields, type Refusal } from '#lib/domain/refusals.ts';
import { type ErrorStyle, refusalReply } from '#lib/wire/errors/refusal-reply.ts';

/** Placeholder for any number in a documented refusal. */
export const ANY_NUMBER = Number.MAX_SAFE_INTEGER;
/** Placeholder for any text in a documented refusal, like every other name in braces. */
export const ANY_TEXT = '{value}';

/** Refusals of every route that reads a body. */
export const bodyRefusals: readonly Refusal[] = [bodyIsNoJsonObject(), bodyTooLarge()];

/** The same for a body whose fields are all required. */
export const completeBodyRefusals = ({ shape }: z.ZodMiniObject): readonly Refusal[] => [
  ...bodyRefusals,
  missingFields(Object.keys(shape)),
];

export interface ErrorBodies {
  readonly style: Pick<ErrorStyle, 'stableCodes'>;
  /** Errors carry them, too: of a key that is marked for rotation, or of what was sent. */
  readonly warnings: z.ZodMiniType | undefined;
}

/**
 * Schemas of the bodies of refusals, built by the function that builds the replies. Those that differ only in their
 * message share a schema.
 */
export function errorBodies(refusals: readonly Refusal[], { style, warnings }: ErrorBodies): z.ZodMiniType[] {
  const byShape = Map.groupBy(refusals, (refusal) => JSON.stringify(refusalReply(refusal, style).body, withoutMessage));
  return [...byShape.values()].map((alike) => {
    const { error, ...beside } = refusalReply(alike[0]!, style).body as Sample & { error: Sample };
    const messages = [...new Set(alike.map(({ message }) => message))];
    return z.strictObject({
      ...mapped(beside),
      error: z.strictObject({ ...mapped(error), message: textOf(messages) }),
      // The deadline of a retired key is over, so there is no warning.
      ...(warnings && error.code !== 'api_key_rotation_required' && { warnings: z.optional(warnings) }),
    });
  });
}

export const errorStatus = (refusal: Refusal): number => refusalReply(refusal, {}).statusCode;

const withoutMessage = (key: string, value: unknown): unknown => (key === 'message' ? undefined : value);

type Sample = Readonly<Record<string, unknown>>;

/** Parts that no sample can show. */
const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  changed: z.record(z.string(), z.unknown()),
  by: z.nullable(z.strictObject({ name: z.string() })),
  at: z.nullable(z.string()),
};

const mapped = (sample: Sample): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, schemas[key] ?? schemaOf(value, key)]));

/** Fixed values become constants; numbers vary, except the status. */
function schemaOf(value: unknown, key: string): z.ZodMiniType {
  if (value === null) return z.null();
  if (typeof value === 'string') return textOf([value]);
  if (typeof value === 'number') return key === 'status' ? z.literal(value) : z.int().check(z.positive());
  return typeof value === 'boolean' ? z.literal(value) : z.strictObject(mapped(value as Sample));
}

/** One of some texts, with names in braces and `ANY_NUMBER` as wildcards. */
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
