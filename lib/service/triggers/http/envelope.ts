import { failed, Refusal, type RefusalKind } from '#lib/domain/refusals.ts';
import type { RequestContext, Reply } from '#lib/service/triggers/http/request-context.ts';
import type { MiddlewareRequest, Middleware } from '#lib/service/triggers/http/middleware.ts';

/** Status, name and stable code of each kind (specification 7). */
const kinds: Readonly<Record<RefusalKind, { status: number; name: string; code: string }>> = {
  badRequest: { status: 400, name: 'BadRequestError', code: 'invalid_request' },
  unauthorized: { status: 401, name: 'UnauthorizedError', code: 'unauthorized' },
  forbidden: { status: 403, name: 'ForbiddenError', code: 'forbidden' },
  notFound: { status: 404, name: 'NotFoundError', code: 'not_found' },
  conflict: { status: 409, name: 'ConflictError', code: 'conflict' },
  gone: { status: 410, name: 'GoneError', code: 'gone' },
  unprocessable: { status: 422, name: 'UnprocessableEntityError', code: 'unprocessable' },
  tooMany: { status: 429, name: 'TooManyRequestsError', code: 'rate_limited' },
  failure: { status: 500, name: 'InternalServerError', code: 'internal_error' },
};

/** How an endpoint spells its errors. */
export interface ErrorStyle {
  /** What a caller is told when we fail; it may depend on what was asked. */
  readonly failure: string | ((call: RequestContext) => string);
  /** Readiness: a failure takes the typed envelope and says when to come back. */
  readonly retryAfterSeconds?: number;
  /** The CLI, the dashboard and agents: a failure names the request. */
  readonly namesRequest?: true;
  /** Sale and refund: `error.code` in every platform error. */
  readonly stableCodes?: true;
}

/** Turns what was thrown into the answer that says no. Innermost, so that all others find an answer to add to. */
export const envelope = (style: ErrorStyle): Middleware => ({
  onError: (request: MiddlewareRequest): void => {
    request.response = refusalReply(refusalOf(request, style), style);
  },
});

/** Whatever is no refusal is our failure: its cause goes to the log only. */
function refusalOf({ event: call, error }: MiddlewareRequest, style: ErrorStyle): Refusal {
  const { deps, requestId } = call;
  if (error instanceof Refusal && error.kind !== 'failure') return error;
  deps.log.error('request_failed', error, { program_id: deps.logContext.programId });
  if (error instanceof Refusal) return error;
  return failureOf(typeof style.failure === 'string' ? style.failure : style.failure(call), style, requestId);
}

/** What a caller is told when we fail. */
export function failureOf(
  message: string,
  { namesRequest, retryAfterSeconds }: Omit<ErrorStyle, 'failure'>,
  requestId: string,
): Refusal {
  if (namesRequest) return failed(`${message} (request_id: ${requestId})`, { details: { request_id: requestId } });
  return retryAfterSeconds === undefined
    ? failed(message)
    : failed(message, { code: kinds.failure.code, typed: { retry_after_seconds: retryAfterSeconds } });
}

/** Refusals that carry a typed envelope take it on every endpoint. */
export function refusalReply(refusal: Refusal, { stableCodes }: Pick<ErrorStyle, 'stableCodes'>): Reply {
  const { status, name, code } = kinds[refusal.kind];
  const { message, parts } = refusal;
  const error = parts.typed
    ? { code: parts.code, message, ...parts.typed }
    : { status, name, message, ...(stableCodes && { code: parts.code ?? code }), details: parts.details ?? {} };
  const body = parts.typed ? { ...parts.beside, error } : { data: null, error };
  // By contract 3: `Retry-After` is sent on 429 only.
  const headers: Record<string, string> =
    refusal.kind === 'tooMany' ? { 'Retry-After': String(parts.typed?.retry_after_seconds) } : {};
  return { statusCode: status, headers, body };
}
