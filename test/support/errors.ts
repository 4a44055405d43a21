const names: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'UnprocessableEntityError',
  500: 'InternalServerError',
};

/** The body of a platform error of click and lead: no code in it. */
export const platformError = (status: number, message: string) => ({
  data: null,
  error: { status, name: names[status], message, details: {} },
});

/** The body of a platform error of sale and refund: a stable code in it. */
export const codedError = (status: number, code: string, message: string, details: object = {}) => ({
  data: null,
  error: { status, name: names[status], code, message, details },
});

/** The body of a 429 so many seconds before the window ends. */
export const rateLimitedError = (seconds: number) => ({
  error: {
    status: 429,
    code: 'rate_limited',
    message: `Too many requests. Try again in ${seconds} seconds.`,
    retry_after_seconds: seconds,
  },
});
