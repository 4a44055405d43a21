import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { signInAgain } from '#test/support/callers/logins/signed-in-again.ts';
import type { Handler } from '#lib/service/http/messages/handler.ts';

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  /** Values of path parameters, decoded as API Gateway decodes them. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body. An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  /** A credential, which is sent as `Authorization: Bearer <key>`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request's cookies, each as `name=value`. */
  readonly cookies?: readonly string[];
  /** The client's address. Default: a different one for every request. */
  readonly ip?: string;
  /** The time of the request by the service's clock. Default: `NOW`. */
  readonly at?: Date;
  /** If set, an old sign-in stays old. Otherwise, requests that need a recent sign-in get one automatically. */
  readonly isLeftAlone?: true;
  /** If true, the body is base64-encoded, as API Gateway passes binary data. */
  readonly isBase64Encoded?: boolean;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the reply sets no cookies. */
  readonly cookies?: readonly string[];
  /** The body: parsed if it is JSON, in base64 if it is an image, undefined if it is empty. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into replies of every shape
  readonly body: any;
}

/** The time of requests in tests, unless they set another one. A deployed service uses the real time. */
export const NOW = new Date(process.env.TEST_NOW ?? '2026-11-20T15:00:00.000Z');

let requests = 0;
const freshAddress = () => {
  requests += 1;
  return `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
};

/** Builds the event with which API Gateway would call the function (payload format 2.0). */
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

/** Calls a function with the event of a request. */
type Invoke = (handler: Handler, event: APIGatewayProxyEventV2) => ReturnType<Handler>;

const directly: Invoke = (handler, event) => handler(event);
let invoke = directly;

/** Changes how this test file's requests reach their functions. */
export const invokeBy = (invokeWith: Invoke = directly): void => {
  invoke = invokeWith;
};

type ReplyCheck = (handler: Handler, reply: TestReply) => Promise<void>;

let check: ReplyCheck = async () => {};

/** Sets a check that every reply must pass before the test receives it. */
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

/** Returns the statuses of concurrent requests. They are sorted, because the order of the replies is random. */
export const statusesOf = (replies: readonly TestReply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
const isText = (headers: Readonly<Record<string, unknown>>): boolean =>
  /^(?:text\/|image\/|application\/xml)/.test(String(headers['Content-Type']));
