import * as z from 'zod/mini';
import { bodyIsNoJsonObject, bodyTooLarge, missingFields, type Refusal } from '#lib/domain/refusals.ts';
import { type ErrorStyle, refusalReply } from '#lib/wire/errors/refusal-reply.ts';
import { RotationWarnings } from '#lib/wire/rotation.ts';

/** In a refusal of the document it stands for any number. */
export const ANY_NUMBER = Number.MAX_SAFE_INTEGER;
/** In a refusal of the document it stands for any text, as every other name in braces does. */
export const ANY_TEXT = '{value}';

/** What every route that reads a body may say of it. */
export const bodyRefusals: readonly Refusal[] = [bodyIsNoJsonObject(), bodyTooLarge()];

/** The same of a body of which no field may be absent. */
export const completeBodyRefusals = ({ shape }: z.ZodMiniObject): readonly Refusal[] => [
  ...bodyRefusals,
  missingFields(Object.keys(shape)),
];

export interface ErrorBodies {
  readonly style: Pick<ErrorStyle, 'stableCodes'>;
  /** While a key is marked for rotation, `warnings` rides on errors too. */
  readonly rotates: boolean;
}

/**
 * Schemas of the bodies of refusals, spelled by the function that spells them on the wire. Those that differ in nothing
 * but their message share a schema.
 */
export function errorBodies(refusals: readonly Refusal[], { style, rotates }: ErrorBodies): z.ZodMiniType[] {
  const byShape = Map.groupBy(refusals, (refusal) => JSON.stringify(refusalReply(refusal, style).body, withoutMessage));
  return [...byShape.values()].map((alike) => {
    const { error, ...beside } = refusalReply(alike[0]!, style).body as Sample & { error: Sample };
    const messages = [...new Set(alike.map(({ message }) => message))];
    return z.strictObject({
      ...mapped(beside),
      error: z.strictObject({ ...mapped(error), message: textOf(messages) }),
      // A retired key has its deadline behind it: there is nothing left to warn of.
      ...(rotates && error.code !== 'api_key_rotation_required' && { warnings: z.optional(RotationWarnings) }),
    });
  });
}

export const errorStatus = (refusal: Refusal): number => refusalReply(refusal, {}).statusCode;

const withoutMessage = (key: string, value: unknown): unknown => (key === 'message' ? undefined : value);

type Sample = Readonly<Record<string, unknown>>;

const mapped = (sample: Sample): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, schemaOf(value, key)]));

/** What is always the same is a constant; numbers differ, but for the status. */
function schemaOf(value: unknown, key: string): z.ZodMiniType {
  if (value === null) return z.null();
  if (typeof value === 'string') return textOf([value]);
  if (typeof value === 'number') return key === 'status' ? z.literal(value) : z.int().check(z.positive());
  return typeof value === 'boolean' ? z.literal(value) : z.strictObject(mapped(value as Sample));
}

/** One of some texts, in which names in braces and `ANY_NUMBER` stand for whatever comes there. */
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
