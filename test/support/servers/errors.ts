import type { TestReply } from '#test/support/callers/request.ts';

const names: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  410: 'GoneError',
  422: 'UnprocessableEntityError',
  500: 'InternalServerError',
};

/** The body of an error in the format of the tracking endpoints. Only errors of sale and refund also have a code. */
export const platformError = (status: number, message: string, details: object = {}) => ({
  data: null,
  error: { status, name: names[status], message, details },
});

/** The status and body of a refusal. */
export const refusal = (status: number, message: string, details?: object) => ({
  status,
  body: platformError(status, message, details),
});

/** The body of an error of sale or refund, with its stable code. */
export const codedError = (status: number, code: string, message: string, details: object = {}) => ({
  data: null,
  error: { status, name: names[status], code, message, details },
});

/** The body of a 500 from the CLI's, the dashboard's or the agents' endpoints. It contains the request id. */
export const namedFailure = (text: string, { headers }: Pick<TestReply, 'headers'>) => {
  const requestId = headers['X-Request-ID'];
  return platformError(500, `${text} (request_id: ${requestId})`, { request_id: requestId });
};

/** The body of a 429. @param seconds until the rate window ends */
export const rateLimitedError = (seconds: number) => ({
  error: {
    status: 429,
    code: 'rate_limited',
    message: `Too many requests. Try again in ${seconds} seconds.`,
    retry_after_seconds: seconds,
  },
});
