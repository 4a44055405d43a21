import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { parseAuthorization } from '#lib/domain/credential.ts';
import { requestDeps } from '#lib/deps.ts';
import { random } from '#lib/random.ts';
import { findCredential } from '#lib/store/credentials.ts';
import type { Call, Reply } from '#lib/http/call.ts';
import { envelope, type ErrorStyle } from '#lib/http/envelope.ts';
import type { Middleware } from '#lib/http/middleware.ts';

/** A function as the gateway calls it. */
export type Handler = (event: APIGatewayProxyEventV2, context?: object) => Promise<APIGatewayProxyStructuredResultV2>;

interface Way {
  /** Outermost first; the envelope is always innermost. */
  readonly middlewares: readonly Middleware[];
  readonly errors: ErrorStyle;
  readonly run: (call: Call) => Reply | Promise<Reply>;
  /** Parses the body and starts the reads that depend on nothing else. What it throws is thrown when the body is asked for. */
  readonly readBody?: (call: Omit<Call, 'body'>) => unknown;
}

/** Opens a call for each event, sends it through the middlewares and spells the answer out. */
export function handlerOf({ middlewares, errors, run, readBody = () => undefined }: Way): Handler {
  const pipeline = middy<Call, Reply>(async (call: Call) => run(call)).use([...middlewares, envelope(errors)]);
  return async (event, context = {}) => {
    const call = openCall(event, readBody);
    return spelledOut(call, await pipeline(call, context as never));
  };
}

function openCall(event: APIGatewayProxyEventV2, readBody: (call: Omit<Call, 'body'>) => unknown): Call {
  const requestId = random.requestId();
  // The gateway's time is the request's time, so that a test clock in front of the functions moves all of them.
  const deps = requestDeps(new Date(event.requestContext.timeEpoch), requestId);
  const authorization = parseAuthorization(event.headers.authorization);
  const credential =
    authorization.scheme === 'bearer' && authorization.token !== ''
      ? findCredential(deps.table, authorization.token)
      : Promise.resolve(undefined);
  const call = { event, requestId, deps, authorization, credential };
  return { ...call, body: outcomeOf(() => readBody(call)) };
}

/** Does it now and tells later: the result, or what was thrown. */
function outcomeOf<T>(attempt: () => T): () => T {
  try {
    const result = attempt();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function spelledOut(
  { requestId }: Call,
  { statusCode, headers, body, text }: Reply,
): APIGatewayProxyStructuredResultV2 {
  const named = { ...headers, 'X-Request-ID': requestId };
  if (text !== undefined) return { statusCode, headers: { ...named, 'Cache-Control': 'no-store' }, body: text };
  if (body === undefined) return { statusCode, headers: named };
  return {
    statusCode,
    headers: { ...named, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}
