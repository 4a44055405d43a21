import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Route, routes } from '#infra/routes.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { gatewayEvent } from '#infra/local/gateway/gateway-event.ts';
import { gatewayReply } from '#infra/local/gateway/gateway-reply.ts';
import { readBody } from '#infra/local/gateway/request-body.ts';
import { functionOf } from '#test/support/cases/documented-reply.ts';
import { invokeBy } from '#test/support/callers/request.ts';

// Vitest's setup with Prism between the tests and the functions: send() becomes an HTTP request to Prism, which passes
// it to the adapter below, in the test's process. It calls the test's function, with its faults.

const { PRISM_URL = '', PRISM_BYPASSED = '' } = process.env;

/** A pending request: what the test sent, and then the function's reply. */
interface Pending {
  readonly handler: Handler;
  readonly sent: APIGatewayProxyEventV2;
  readonly route: Route;
  answered?: APIGatewayProxyStructuredResultV2;
}

const pending = new Map<string, Pending>();
let calls = 0;

const adapter = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error));
});
await once(adapter.listen(0, '127.0.0.1'), 'listening');
adapter.unref();
const { port } = adapter.address() as AddressInfo;

/** Turns the request back into the gateway event, with the test's time and address. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = pending.get(String(request.headers['x-test-call']))!;
  const { sent, route, handler } = call;
  const event = gatewayEvent(request, {
    body: (await readBody(request))!,
    timeEpoch: sent.requestContext.timeEpoch,
    routeKey: `${route.method} ${route.path}`,
    pathParameters: sent.pathParameters as Record<string, string> | undefined,
  });
  const { body = sent.body } = event;
  // Removes headers that HTTP clients and Prism add.
  const names = Object.keys(sent.headers);
  const headers = Object.fromEntries(
    names.map((name) => [name, event.headers[name === 'content-type' ? CONTENT_TYPE : name]]),
  );
  call.answered = await handler({ ...event, headers, body });
  const reply = gatewayReply(call.answered);
  response.writeHead(reply.status, reply.headers as OutgoingHttpHeaders).end(reply.body);
}

/** The body for HTTP. Prism refuses a GET with a body, so a test's body is passed to the function directly. */
const bodyOf = ({ body = '', requestContext: { http } }: APIGatewayProxyEventV2): string =>
  ['GET', 'HEAD'].includes(http.method) ? '' : body;

/** Header for the content type, because Prism would parse a body declared as JSON and refuse an invalid one itself. */
const CONTENT_TYPE = 'x-test-content-type';

invokeBy(async (handler, event) => {
  const name = await functionOf(handler);
  const { method } = event.requestContext.http;
  const route = routes.find((each) => each.function === name && (each.method === method || each.method === 'ANY'));
  const obstacle = route ? obstacleTo(event) : 'its function is in no route';
  if (!route || obstacle) {
    appendFileSync(PRISM_BYPASSED, `${obstacle}\n`);
    return handler(event);
  }
  const id = String(++calls);
  const call: Pending = { handler, sent: event, route };
  pending.set(id, call);
  try {
    return await exchanged(call, id);
  } finally {
    pending.delete(id);
  }
});

/** Why an event cannot have arrived over HTTP unchanged. */
function obstacleTo({ headers, body = '' }: APIGatewayProxyEventV2): string | undefined {
  if (Buffer.from(body).toString() !== body) return 'a body that is no UTF-8';
  return Object.values(headers).every((value = '') => CARRIED.test(value))
    ? undefined
    : 'a header that HTTP cannot carry unchanged';
}

/** Header values that HTTP transmits unchanged: visible ASCII with inner spaces, up to the size limit of servers. */
const CARRIED = /^(?! )[ -~]{0,8000}(?<! )$/;

async function exchanged(call: Pending, id: string): Promise<APIGatewayProxyStructuredResultV2> {
  const { sent, route } = call;
  const { 'content-type': contentType = '', ...headers } = sent.headers;
  const body = bodyOf(sent);
  const path = sent.rawPath === '/' ? pathOf(route, sent.pathParameters) : sent.rawPath;
  const outgoing = httpRequest(`${PRISM_URL}${path}${sent.rawQueryString && `?${sent.rawQueryString}`}`, {
    method: sent.requestContext.http.method,
    agent: false,
    headers: {
      ...(headers as Record<string, string>),
      'content-type': 'text/plain; charset=utf-8',
      [CONTENT_TYPE]: contentType,
      'x-forwarded-for': sent.requestContext.http.sourceIp,
      'x-test-call': id,
      'x-test-port': String(port),
      'content-length': Buffer.byteLength(body),
    },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const answered = await text(response);
  const violations = response.headers['sl-violations'];
  if (violations ?? !call.answered)
    throw new Error(`Prism: ${route.method} ${route.path}: ${String(violations ?? answered)}`);
  // Header names are written as tests write them; the values are those received.
  const names = Object.keys(call.answered?.headers ?? {}).filter((name) => name.toLowerCase() in response.headers);
  return {
    statusCode: response.statusCode,
    headers: Object.fromEntries(names.map((name) => [name, String(response.headers[name.toLowerCase()])])),
    ...(response.headers['set-cookie'] && { cookies: response.headers['set-cookie'] }),
    ...(call.answered?.body !== undefined && { body: answered }),
  };
}

const pathOf = ({ path }: Route, parameters: APIGatewayProxyEventV2['pathParameters'] = {}): string =>
  path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '1'));
