import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { IncomingMessage } from 'node:http';
import { functionTimeoutSeconds } from '#infra/function-timeouts.ts';
import type { LambdaContext } from '#lib/service/ground/effects/deps.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { gatewayEvent, splitTarget } from '#infra/local/gateway/gateway-event.ts';
import {
  foreignPage,
  gatewayReply,
  type HttpReply,
  internalServerError,
  lambdaResult,
  requestTooLarge,
  serviceUnavailable,
} from '#infra/local/gateway/gateway-reply.ts';
import { isForOwnHost, isFromForeignPage } from '#infra/local/gateway/own-host.ts';
import { readBody } from '#infra/local/gateway/request-body.ts';
import { type MatchedRoute, matchRoute, type ServedRoute } from '#infra/local/gateway/served-route.ts';

/** What the local server uses to answer requests. */
export interface Service {
  readonly routes: readonly ServedRoute[];
  /**
   * Routes of the static files. They become available when the files are built. No path is both in `routes` and here.
   */
  readonly pages?: Promise<readonly ServedRoute[]>;
  /** Handles requests without a route. */
  readonly fallback: Handler;
  /** The service's clock, in milliseconds. */
  readonly now: () => number;
}

/** API Gateway's limit for the time that a function may take. */
const GATEWAY_TIMEOUT_MS = 30_000;

/** Answers one request as API Gateway does: finds the function, calls it, and converts its result to an HTTP reply. */
export async function answer(service: Service, request: IncomingMessage): Promise<HttpReply> {
  const body = await readBody(request);
  if (!body) return requestTooLarge;
  const matched = routeIn(service.routes, request) ?? routeIn((await service.pages) ?? [], request);
  const changesThisMachine = isLocal(matched) && !['GET', 'HEAD'].includes(request.method ?? 'GET');
  if (changesThisMachine && isFromForeignPage(request)) return foreignPage;
  const event = gatewayEvent(request, {
    body,
    timeEpoch: service.now(),
    routeKey: matched ? `${matched.route.method} ${matched.route.path}` : '$default',
    pathParameters: matched?.pathParameters,
  });
  const handler = matched?.route.handler ?? service.fallback;
  const isFunction = matched?.route.function !== undefined;
  const call: Handler = isFunction ? async (...args) => lambdaResult(await handler(...args)) : handler;
  return callFunction(call, event, timeoutMsOf(matched));
}

const timeoutMsOf = (matched: MatchedRoute | undefined): number =>
  matched ? (matched.route.timeoutMs ?? GATEWAY_TIMEOUT_MS) : 1_000 * functionTimeoutSeconds.usual;

function routeIn(routes: readonly ServedRoute[], request: IncomingMessage): MatchedRoute | undefined {
  const { method = 'GET' } = request;
  const { path } = splitTarget(request.url);
  const matched = matchRoute(routes, method, path) ?? (method === 'HEAD' ? fileAt(routes, path) : undefined);
  return isLocal(matched) && !isForOwnHost(request) ? undefined : matched;
}

const isLocal = (matched: MatchedRoute | undefined): boolean => matched?.route.path.startsWith('/local/') ?? false;

/**
 * Finds a static file for a HEAD request, which is answered like GET. Functions do not get HEAD requests, because API
 * Gateway has no routes for them.
 */
function fileAt(routes: readonly ServedRoute[], path: string): MatchedRoute | undefined {
  const matched = matchRoute(routes, 'GET', path);
  return matched?.route.function === undefined ? matched : undefined;
}

async function callFunction(handler: Handler, event: APIGatewayProxyEventV2, timeoutMs: number): Promise<HttpReply> {
  const timeout = Promise.withResolvers<HttpReply>();
  const timer = setTimeout(timeout.resolve, timeoutMs, serviceUnavailable);
  const endsAt = performance.now() + timeoutMs;
  // From the remaining time, a function knows when to end its own calls so that it can still reply.
  const context: LambdaContext = { getRemainingTimeInMillis: () => endsAt - performance.now() };
  try {
    return await Promise.race([handler(event, context).then(gatewayReply), timeout.promise]);
  } catch (error) {
    console.error(`${event.routeKey} threw`, error);
    return internalServerError;
  } finally {
    clearTimeout(timer);
  }
}
