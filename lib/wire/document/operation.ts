import * as z from 'zod/mini';
import { rateLimited, type Refusal } from '#lib/service/ground/values/refusals.ts';
import { type ErrorStyle, failureOf } from '#lib/wire/errors/refusal-reply.ts';
import { ANY_NUMBER, errorBodies, errorShapes, errorStatus } from '#lib/wire/document/error-bodies.ts';
import { corsHeaders, countHeaders, type HeaderName, rotationHeaders } from '#lib/wire/words/headers.ts';
import { retiredKey, RotationWarnings } from '#lib/wire/programs/rotation.ts';
import { Warnings } from '#lib/wire/traffic/warnings.ts';
import type { SecurityScheme } from '#lib/wire/document/security.ts';

/** The properties that routes of one kind have in common. */
export interface Family {
  readonly tag: string;
  /** The accepted credentials, of which a request needs one; `anonymous` means that it needs none. */
  readonly security: readonly (SecurityScheme | 'anonymous')[];
  readonly errors: ErrorStyle;
  readonly refusals: readonly Refusal[];
  /** Message of a 500. Absent if each route of the family has its own message. */
  readonly failure?: string;
  readonly isCounted: boolean | 'butForOptions';
  /** Set if the routes read program keys. Their replies then warn about a key that must be replaced. */
  readonly rotates?: true;
  /** Set if pages of the program's allowed origins may read the reply. */
  readonly cors?: true;
  /** Set if `X-Request-ID` is sent only with a status of 500 or above. */
  readonly requestIdOnlyOnFailure?: true;
}

/** The properties that one route adds to those of its family. */
export interface Details {
  readonly id: string | ((method: string, path: string) => string);
  readonly summary: string;
  readonly description?: string;
  /**
   * Parameters of the function's routes. If one is declared both for the path and for the query, the document shows it
   * where the route has it.
   */
  readonly parameters?: readonly Parameter[];
  /**
   * How a client can fill the request bodies of other operations: runtime expressions on this operation's request or
   * reply.
   */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The schema of the request's body. Unknown fields are ignored, and null means that a field is not sent. */
  readonly body?: z.ZodMiniType;
  /** Content types of a request whose body is a file. */
  readonly fileTypes?: readonly string[];
  /** The bodies with status 200, one schema for each case. */
  readonly ok?: readonly z.ZodMiniObject[];
  /** Replies that are not JSON. */
  readonly others?: Readonly<Record<number, DocumentedReply>>;
  readonly moreHeaders?: readonly HeaderName[];
  readonly refusals?: readonly Refusal[];
  readonly failures?: readonly string[];
  /** Statuses whose replies may warn about the request, in addition to warnings about the key. */
  readonly warnsOn?: readonly (200 | 400)[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly isRequired?: true;
  readonly schema: z.ZodMiniType;
}

export interface DocumentedReply {
  readonly description: string;
  readonly contentType?: string;
  /** Content types of files that the same status may return instead, depending on the path. */
  readonly fileTypes?: readonly string[];
  /** The schema of the body. Absent if there is no body, or an undocumented one. */
  readonly body?: z.ZodMiniType;
  readonly headers: Readonly<Partial<Record<HeaderName, 'always' | 'sometimes'>>>;
  /** How refusals are described: a component with a body that has any message, and the route's messages as examples. */
  readonly refused?: {
    readonly component: string;
    readonly bodies: readonly z.ZodMiniType[];
    readonly messages: readonly string[];
  };
}

export interface Operation extends Omit<
  Details,
  'ok' | 'others' | 'refusals' | 'failures' | 'moreHeaders' | 'warnsOn'
> {
  readonly tag: string;
  readonly security: Family['security'];
  /** Every reply of the route, by status. */
  readonly replies: Readonly<Record<number, DocumentedReply>>;
}

const JSON_TYPE = 'application/json';

/** A route as the document describes it. */
export function operation(family: Family, details: Details): Operation {
  const { ok, others, refusals = [], failures = [], moreHeaders = [], warnsOn = [], ...rest } = details;
  const warningsOf = (status: number) =>
    warningsSchema(
      family,
      warnsOn.some((one) => one === status),
    );
  const success: Record<number, DocumentedReply> = ok
    ? { 200: successReply(family, ok, moreHeaders, warningsOf(200)) }
    : {};
  return {
    ...rest,
    tag: family.tag,
    security: family.security,
    replies: { ...success, ...others, ...errorReplies(family, refusals, failures, warningsOf) },
  };
}

const successReply = (
  family: Family,
  bodies: readonly z.ZodMiniObject[],
  moreHeaders: readonly HeaderName[],
  warnings: z.ZodMiniType | undefined,
): DocumentedReply => ({
  description: meanings[200]!,
  contentType: JSON_TYPE,
  body: anyOf(warnings ? bodies.map((body) => z.extend(body, { warnings: z.optional(warnings) })) : bodies),
  headers: { ...headersOf(family, 200), ...every(moreHeaders, 'always') },
});

function errorReplies(
  family: Family,
  own: readonly Refusal[],
  failures: readonly string[],
  warningsOf: (status: number) => z.ZodMiniType | undefined,
): Record<number, DocumentedReply> {
  const { errors, rotates = false } = family;
  const failed = (texts: readonly string[]) => texts.map((text) => failureOf(text, errors, '{request_id}'));
  const shared = [
    ...family.refusals,
    ...(family.isCounted ? [rateLimited(ANY_NUMBER)] : []),
    ...(rotates ? [retiredKey] : []),
    ...failed(family.failure === undefined ? [] : [family.failure]),
  ];
  const byStatus = Map.groupBy([...shared, ...own, ...failed(failures)], errorStatus);
  const reply = (status: number, refusals: readonly Refusal[]): DocumentedReply => {
    const how = { style: errors, warnings: warningsOf(status) };
    const shapes = errorShapes(refusals, how);
    return {
      description: meanings[status]!,
      contentType: JSON_TYPE,
      body: anyOf(errorBodies(refusals, how)),
      headers: headersOf(family, status),
      refused: {
        component: [status, ...[...shapes.keys()].map(beyondStatus)].filter(Boolean).join('-'),
        bodies: [...shapes.values()],
        messages: [...new Set(refusals.map(({ message }) => message))],
      },
    };
  };
  return Object.fromEntries([...byStatus].map(([status, refusals]) => [status, reply(status, refusals)]));
}

/** The part of a body's name that follows the name of its status. */
const beyondStatus = (name: string): string => name.replace(/^(?:[A-Z]\w+Error|rate_limited)(?:\.|$)/, '');

const warningsSchema = ({ rotates }: Family, warns: boolean): z.ZodMiniType | undefined => {
  if (warns) return Warnings;
  return rotates ? RotationWarnings : undefined;
};

export const anyOf = (bodies: readonly z.ZodMiniType[]): z.ZodMiniType =>
  bodies.length === 1 ? bodies[0]! : z.union(bodies);

const every = (names: readonly HeaderName[], when: 'always' | 'sometimes'): DocumentedReply['headers'] =>
  Object.fromEntries(names.map((name) => [name, when]));

/** The headers of the JSON replies in a family of routes. */
export const headersOf = (
  { isCounted, rotates, cors, requestIdOnlyOnFailure }: Family,
  status: number,
): DocumentedReply['headers'] => ({
  ...every(requestIdOnlyOnFailure && status < 500 ? [] : ['X-Request-ID'], 'always'),
  ...every(['Cache-Control'], 'always'),
  ...every(isCounted ? countHeaders : [], isCounted === true ? 'always' : 'sometimes'),
  ...every(status === 429 ? ['Retry-After'] : [], 'always'),
  ...every(rotates ? rotationHeaders : [], 'sometimes'),
  ...every(cors ? ['Vary'] : [], 'always'),
  ...every(cors ? corsHeaders : [], 'sometimes'),
});

/** What each status means, in all operations. */
const meanings: Readonly<Record<number, string>> = {
  200: 'Done.',
  400: 'A field is missing or invalid, or an identifier finds nothing usable. Do not repeat the request unchanged.',
  401: 'The credential is missing or invalid.',
  403: 'The credential is valid but does not permit this request.',
  404: 'The resource does not exist, or the caller has no access to it.',
  409: 'The request conflicts with the present state.',
  410: 'A key or link in the request is retired or disabled. Nothing was recorded.',
  422: 'The currency is not supported. Nothing was recorded.',
  429: 'Too many requests. Repeat the request after `Retry-After` seconds.',
  500: 'The service failed. Repeat the request, with backoff.',
};
