import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { edgeOnly } from '#lib/service/ground/values/refusals.ts';
import { type LambdaContext, requestDeps } from '#lib/service/ground/effects/deps.ts';
import { random } from '#lib/service/ground/effects/random.ts';
import { findCredential } from '#lib/service/people/accounts/credentials-items.ts';
import { parseAuthorization } from '#lib/service/http/callers/authorization.ts';
import type { RequestContext, Reply } from '#lib/service/http/messages/request-context.ts';
import { lacksEdgeSecret, readAheadEdgeSecret, refuseAroundEdge } from '#lib/service/http/clients/client-address.ts';
import { type EndpointErrors, envelope } from '#lib/service/http/messages/envelope.ts';
import type { Middleware } from '#lib/service/http/messages/middleware.ts';
import { refusalReply } from '#lib/wire/errors/refusal-reply.ts';

/** A Lambda function for API Gateway. */
export type Handler = (
  event: APIGatewayProxyEventV2,
  context?: LambdaContext,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** If an action is still running this long before the function's timeout, the reply is a failure. */
const LAST_MS = 500;

interface HandlerOptions {
  /** Middlewares, outermost first. The one that turns errors into replies is always added as the innermost. */
  readonly middlewares: readonly Middleware[];
  readonly errors: EndpointErrors;
  readonly run: (call: RequestContext) => Reply | Promise<Reply>;
  /** If true, only replies to failures have the header `X-Request-ID`. Default: every reply has it. */
  readonly requestIdOnlyOnFailure?: boolean;
  /** Checks the body and starts the reads that depend only on it. An error is thrown only where the body is used. */
  readonly readBody?: (call: Omit<RequestContext, 'body'>) => unknown;
}

/** Creates the context of each event, runs the middlewares and formats the reply. */
export function createHandler({
  middlewares,
  errors,
  run,
  requestIdOnlyOnFailure,
  readBody = () => undefined,
}: HandlerOptions): Handler {
  const pipeline = middy<RequestContext, Reply>(
    async (call: RequestContext) => {
      await refuseAroundEdge(call);
      return run(call);
    },
    { timeoutEarlyInMillis: LAST_MS },
  ).use([...middlewares, envelope(errors)]);
  return async (event, context = {}) => {
    const request = openRequest(event, context);
    const reply = lacksEdgeSecret(request)
      ? refusalReply(edgeOnly(request.deps.config.baseUrl), errors)
      : await pipeline(openCall(request, readBody), context as never);
    if (!requestIdOnlyOnFailure || reply.statusCode >= 500) reply.headers['X-Request-ID'] = request.requestId;
    return toGatewayResponse(reply);
  };
}

type OpenRequest = Pick<RequestContext, 'event' | 'requestId' | 'deps'>;

function openRequest(event: APIGatewayProxyEventV2, context: LambdaContext): OpenRequest {
  const requestId = random.requestId();
  // The time of the request is the one that the gateway sends, so that tests can set the time of all functions in one
  // place.
  return { event, requestId, deps: requestDeps(new Date(event.requestContext.timeEpoch), requestId, context) };
}

function openCall(request: OpenRequest, readBody: (call: Omit<RequestContext, 'body'>) => unknown): RequestContext {
  const { event, deps } = request;
  readAheadEdgeSecret(request);
  const authorization = parseAuthorization(event.headers.authorization);
  const credential =
    authorization.scheme === 'bearer' && authorization.token !== ''
      ? findCredential(deps.table, authorization.token)
      : Promise.resolve(undefined);
  const call = { ...request, authorization, credential, warnings: [] };
  return { ...call, body: outcomeOf(() => readBody(call)) };
}

/** Runs a function immediately. @returns a function that returns the result or throws the error */
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

function toGatewayResponse(reply: Reply): APIGatewayProxyStructuredResultV2 {
  const { statusCode, headers, body, text, bytes, cookies } = reply;
  if (bytes) return { statusCode, headers, body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  if (text !== undefined) return { statusCode, headers: { ...headers, 'Cache-Control': 'no-store' }, body: text };
  if (body === undefined) return { statusCode, headers };
  return {
    ...(cookies && { cookies }),
    statusCode,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}
