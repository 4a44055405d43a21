import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isPlainAddress } from '#lib/service/ground/addresses/address-range.ts';

/** The parts of an event that do not come from the request. */
export interface EventContext {
  readonly body: Buffer;
  /** The time of the request by the service's clock, in milliseconds. Functions read no other clock. */
  readonly timeEpoch: number;
  /** Method and path of the matched route; `$default` if no route matched. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** Converts a request to the event that API Gateway's HTTP API sends to a function (payload format 2.0). */
export function gatewayEvent(request: IncomingMessage, context: EventContext): APIGatewayProxyEventV2 {
  const { routeKey, timeEpoch, body, pathParameters = {} } = context;
  const { method = 'GET', httpVersion } = request;
  const { path: sentPath, query } = splitTarget(request.url);
  const path = decodedPath(sentPath);
  const { cookie, ...headers } = joinedHeaders(request);
  const isText = isTextType(headers['content-type']);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookie && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(query && { queryStringParameters: joinedParameters(query) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: 'local',
      apiId: 'local',
      domainName: headers.host ?? '',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: sourceIp(request),
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: commonLogTime(new Date(timeEpoch)),
      timeEpoch,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Splits the request target into path and query; both stay encoded. */
export function splitTarget(target = '/'): { path: string; query: string } {
  const [path = '/', ...query] = target.split('?');
  return { path, query: query.join('?') };
}

/**
 * Decodes a path as API Gateway's HTTP API does before it looks for a route: once, and only up to an encoded question
 * mark. Text that is not valid percent-encoding is kept.
 */
export function decodedPath(sent: string): string {
  try {
    return splitTarget(decodeURIComponent(sent)).path;
  } catch {
    return sent;
  }
}

const joinedHeaders = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(name === 'cookie' ? '; ' : ',')]),
  );

function joinedParameters(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]));
}

const isTextType = (type = ''): boolean => /^text\/|^application\/(json|javascript|xml)\b|\+(json|xml)\b/i.test(type);

/**
 * The client's address. A caller on this machine may choose another one by a header; it must be in the usual notation.
 */
function sourceIp({ socket, headersDistinct }: IncomingMessage): string {
  const address = socket.remoteAddress ?? '';
  const forwarded = headersDistinct['x-forwarded-for']?.[0]?.split(',')[0]?.trim() ?? '';
  return isLoopback(address) && isPlainAddress(forwarded) ? forwarded : address;
}

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

/** Formats a time as `21/Nov/2026:13:33:02 +0000`. */
function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}
