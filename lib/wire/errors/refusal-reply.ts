import { failed, type Refusal, type RefusalKind } from '#lib/service/ground/values/refusals.ts';

/** In which format an endpoint reports errors. */
export interface ErrorStyle {
  /** Set for readiness: a failure has the typed error format and says after how many seconds to retry. */
  readonly retryAfterSeconds?: number;
  /** Set for the CLI, the dashboard and agents: a failure contains the request id. */
  readonly namesRequest?: true;
  /** Set for sale and refund: every error in the platform's error format contains `error.code`. */
  readonly stableCodes?: true;
}

/** A refusal as it is sent. */
export interface RefusalReply {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** Status, name and stable code of each kind of refusal. */
const kinds: Readonly<Record<RefusalKind, readonly [status: number, name: string, code: string]>> = {
  badRequest: [400, 'BadRequestError', 'invalid_request'],
  unauthorized: [401, 'UnauthorizedError', 'unauthorized'],
  forbidden: [403, 'ForbiddenError', 'forbidden'],
  notFound: [404, 'NotFoundError', 'not_found'],
  conflict: [409, 'ConflictError', 'conflict'],
  gone: [410, 'GoneError', 'gone'],
  unprocessable: [422, 'UnprocessableEntityError', 'unprocessable'],
  tooMany: [429, 'TooManyRequestsError', 'rate_limited'],
  failure: [500, 'InternalServerError', 'internal_error'],
};

/** A refusal with the typed error format has this format at every endpoint. */
export function refusalReply(refusal: Refusal, { stableCodes }: Pick<ErrorStyle, 'stableCodes'>): RefusalReply {
  const [status, name, code] = kinds[refusal.kind];
  const { message, parts } = refusal;
  const error = parts.typed
    ? { code: parts.code, message, ...parts.typed }
    : { status, name, message, ...(stableCodes && { code: parts.code ?? code }), details: parts.details ?? {} };
  const body = parts.typed ? { ...parts.beside, error } : { data: null, error };
  // `Retry-After` is sent only with 429, although other typed errors also say when to retry.
  const headers: Record<string, string> =
    refusal.kind === 'tooMany' ? { 'Retry-After': String(parts.typed?.retry_after_seconds) } : {};
  return { statusCode: status, headers, body };
}

/** The message of a 500. */
export function failureOf(
  message: string,
  { namesRequest, retryAfterSeconds }: ErrorStyle,
  requestId: string,
): Refusal {
  if (namesRequest) return failed(`${message} (request_id: ${requestId})`, { details: { request_id: requestId } });
  return retryAfterSeconds === undefined
    ? failed(message)
    : failed(message, { code: kinds.failure[2], typed: { retry_after_seconds: retryAfterSeconds } });
}
