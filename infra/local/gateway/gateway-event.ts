import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isPlainAddress } from '#lib/service/ground/addresses/address-range.ts';

/** Event fields that are not part of the request itself. */
export interface EventContext {
  readonly body: Buffer;
  /** Milliseconds by the service's clock; functions know no other time. */
  readonly timeEpoch: number;
  /** Method and path of the matched route, or `$default`. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** A request as an event of API Gateway's HTTP API (payload format 2.0). */
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

/** Path and query of a request target, as sent. */
export function splitTarget(target = '/'): { path: string; query: string } {
  const [path = '/', ...query] = target.split('?');
  return { path, query: query.join('?') };
}

/**
 * The path as an HTTP API decodes and matches it: decoded once, and cut at an encoded question mark. Text that is not
 * valid percent-encoding is kept.
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

/** Callers on this machine may set another client address, in its usual notation. */
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
