import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { signInAgain } from '#test/support/callers/logins/signed-in-again.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  /** Values of path parameters, decoded as by API Gateway. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  /** Sent as `Authorization: Bearer <key>`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each cookie as `name=value`. */
  readonly cookies?: readonly string[];
  /** The client's address. By default every request has a different one. */
  readonly ip?: string;
  /** The service's time. */
  readonly at?: Date;
  /** Prevents signing in again for requests that need a recent sign-in, which otherwise happens automatically. */
  readonly isLeftAlone?: true;
  /** The body is base64-encoded, as API Gateway passes binary data. */
  readonly isBase64Encoded?: boolean;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the reply sets none. */
  readonly cookies?: readonly string[];
  /** Parsed if it is JSON, in base64 if it is an image; undefined if empty. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into replies of every shape
  readonly body: any;
}

/** The service's default time in tests; a deployed service has real time. */
export const NOW = new Date(process.env.TEST_NOW ?? '2026-11-20T15:00:00.000Z');

let requests = 0;
const freshAddress = () => {
  requests += 1;
  return `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
};

/** The event with which API Gateway would call the function (payload format 2.0). */
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

/** Calls a function with a request's event. */
type Invoke = (handler: Handler, event: APIGatewayProxyEventV2) => ReturnType<Handler>;

const directly: Invoke = (handler, event) => handler(event);
let invoke = directly;

/** Changes how requests of this test file reach their functions. */
export const invokeBy = (invokeWith: Invoke = directly): void => {
  invoke = invokeWith;
};

type ReplyCheck = (handler: Handler, reply: TestReply) => Promise<void>;

let check: ReplyCheck = async () => {};

/** Checks every reply before the test receives it. */
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

/** Statuses of concurrent requests, sorted because their order is random. */
export const statusesOf = (replies: readonly TestReply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
const isText = (headers: Readonly<Record<string, unknown>>): boolean =>
  /^(?:text\/|image\/|application\/xml)/.test(String(headers['Content-Type']));
