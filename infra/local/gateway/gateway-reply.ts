import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** Converts a function's result to the reply of API Gateway, which is a 500 if the result is invalid. */
export function gatewayReply(result: unknown): HttpReply {
  if (!isStructured(result))
    return jsonReply(200, typeof result === 'string' ? result : JSON.stringify(result ?? null));
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = result;
  if (!Number.isInteger(statusCode) || typeof body !== 'string') return internalServerError;
  return {
    status: Number(statusCode),
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Whether a result contains a status. Otherwise API Gateway replies 200 with the whole result as the body. */
const isStructured = (result: unknown): result is APIGatewayProxyStructuredResultV2 =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

const jsonReply = (status: number, body: string): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
});

// The reply of API Gateway if a function fails.
export const internalServerError = jsonReply(500, '{"message":"Internal Server Error"}');
/** The reply to a page of another site that tries to use a route for this machine only. */
export const foreignPage = jsonReply(
  403,
  JSON.stringify({
    data: null,
    error: {
      status: 403,
      name: 'ForbiddenError',
      message:
        'Pages of other sites cannot use local routes. Send the request from a program, or from a page of this service.',
      details: {},
    },
  }),
);
export const serviceUnavailable = jsonReply(503, '{"message":"Service Unavailable"}');
export const requestTooLarge = jsonReply(413, '{"message":"Request Entity Too Large"}');

/** Lambda's limit for the size of a function's result as JSON, in bytes. */
const MOST_RESULT_BYTES = 6_291_556;
/** A shorter body is not measured: it cannot exceed the limit, as a character takes at most six bytes in JSON. */
const SHORT_BODY = MOST_RESULT_BYTES / 8;

/**
 * Checks the size of a function's result as Lambda does.
 * @returns the same result
 * @throws Error if the result is too large
 */
export function lambdaResult(result: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const isShort = (result.body?.length ?? 0) < SHORT_BODY;
  if (!isShort && Buffer.byteLength(JSON.stringify(result)) > MOST_RESULT_BYTES) {
    throw new Error(`The result is longer than the ${MOST_RESULT_BYTES} bytes that Lambda takes`);
  }
  return result;
}
