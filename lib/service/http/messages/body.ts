import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { badRequest, bodyIsNoJsonObject, bodyTooLarge, missingFields } from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';

const LARGEST_BODY_BYTES = 256 * 1024;
/** Maximum size of an event of the card processor. An event contains a whole object of the processor. */
export const LARGEST_EVENT_BYTES = 1024 * 1024;

/**
 * Removes the fields that are JSON `null`.
 * @param clearable fields that the caller can remove by sending null; their null stays
 */
export const withoutNulls = (object: object, clearable: readonly string[] = []): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || clearable.includes(name)));

/** The body as it was sent. @throws Refusal when it is larger than allowed */
export function rawBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2, largestBytes: number): string | Buffer {
  const size = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (size > largestBytes) throw bodyTooLarge();
  return isBase64Encoded ? Buffer.from(body, 'base64') : body;
}

/** The body's bytes. If the request's content type is text, it was decoded as UTF-8, which damages an image. */
export const bytesOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/**
 * The body's object; an empty body counts as `{}`.
 * @param clearable fields that the caller can remove by sending null
 * @throws Refusal
 */
export function jsonBody(
  event: APIGatewayProxyEventV2,
  clearable?: readonly string[],
  largestBytes = LARGEST_BODY_BYTES,
): Json {
  const text = rawBody(event, largestBytes).toString();
  return text === '' ? {} : withoutNulls(jsonObject(text), clearable);
}

/**
 * Whether the body has any of these fields, with any value. For a body that is no JSON object the result is false,
 * because the request is refused later, where the body is read.
 */
export function hasField(
  event: APIGatewayProxyEventV2,
  fields: readonly string[],
  clearable?: readonly string[],
): boolean {
  try {
    const json = jsonBody(event, clearable);
    return fields.some((field) => json[field] !== undefined);
  } catch {
    return false;
  }
}

/** Parses a JSON object. @throws Refusal */
export function jsonObject(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bodyIsNoJsonObject();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bodyIsNoJsonObject();
  return value as Json;
}

/** Checks a body against its schema. The first wrong field, in the schema's order, is reported. @throws Refusal */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, json: Json): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  // A failed schema reports at least one field.
  throw badRequest(parsed.error.issues[0]!.message);
}

/** Checks a body whose fields are all required; the message of a missing field names all of them. @throws Refusal */
export function parseCompleteBody<Schema extends z.ZodMiniObject>(schema: Schema, json: Json): z.output<Schema> {
  const fields = Object.keys(schema.shape);
  if (fields.some((field) => json[field] === undefined)) throw missingFields(fields);
  return parseBody(schema, json);
}
