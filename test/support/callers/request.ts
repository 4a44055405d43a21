import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { signInAgain } from '#test/support/callers/signed-in-again.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';

/** One request of a test. */
export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  /** Values of the path's parameters, decoded as the gateway hands them over. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text unchanged. */
  readonly body?: unknown;
  /** Sent as `Authorization: Bearer <key>`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each as `name=value`. */
  readonly cookies?: readonly string[];
  /** The client's address; every request has its own unless said otherwise. */
  readonly ip?: string;
  /** The service's time. */
  readonly at?: Date;
  /** Nobody signs in again: the token is as old as it is. Otherwise its person does so before what needs it. */
  readonly isLeftAlone?: true;
  /** The body is given in base64, as the gateway hands over what is no text. */
  readonly isBase64Encoded?: boolean;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when the answer sets none. */
  readonly cookies?: readonly string[];
  /** Parsed when it is JSON; undefined when there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into replies of every shape
  readonly body: any;
}

/** The service's time in tests that do not say otherwise; a deployed service has the real one. */
export const NOW = new Date(process.env.TEST_NOW ?? '2026-11-20T15:00:00.000Z');

let requests = 0;
const freshAddress = () => {
  requests += 1;
  return `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
};

/** The event that API Gateway would hand to the function (payload format 2.0). */
function gatewayEvent(request: TestRequest): APIGatewayProxyEventV2 {
  const {
    method = 'POST',
    path = '/',
    pathParameters,
    query,
    body,
    key,
    headers = {},
    cookies,
    ip = freshAddress(),
    at = NOW,
    isBase64Encoded = false,
  } = request;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    requestContext: {
      accountId: 'test',
      apiId: 'test',
      domainName: 'test',
      domainPrefix: 'test',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: ip, userAgent: 'test' },
      requestId: 'test',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: at.toUTCString(),
      timeEpoch: at.getTime(),
    },
    ...(cookies && { cookies: [...cookies] }),
    ...(pathParameters && { pathParameters }),
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded,
  };
}

/** How a request's event reaches its function. */
type Invoke = (handler: Handler, event: APIGatewayProxyEventV2) => ReturnType<Handler>;

const directly: Invoke = (handler, event) => handler(event);
let invoke = directly;

/** Replaces how requests of this test file reach their functions. */
export const invokeBy = (invokeWith: Invoke = directly): void => {
  invoke = invokeWith;
};

type ReplyCheck = (handler: Handler, reply: TestReply) => Promise<void>;

let check: ReplyCheck = async () => {};

/** Has every reply checked before its test sees it. */
export const onReply = (wanted: ReplyCheck): void => {
  check = wanted;
};

export async function send(handler: Handler, request: TestRequest): Promise<TestReply> {
  const { key = '', at = NOW, isLeftAlone } = request;
  if (at > NOW && !isLeftAlone && key.startsWith('lgn_')) await signInAgain(key, at);
  const { statusCode = 0, headers = {}, cookies, body } = await invoke(handler, gatewayEvent(request));
  const reply = {
    status: statusCode,
    headers: headers as Record<string, string>,
    ...(cookies && { cookies }),
    body: body === undefined || isText(headers) ? body : JSON.parse(body),
  };
  await check(handler, cookies ? { ...reply, headers: { ...reply.headers, 'Set-Cookie': cookies.join('\n') } } : reply);
  return reply;
}

/** Statuses of requests that raced, sorted, because their order is random. */
export const statusesOf = (replies: readonly TestReply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
const isText = (headers: Readonly<Record<string, unknown>>): boolean =>
  String(headers['Content-Type']).startsWith('text/');
