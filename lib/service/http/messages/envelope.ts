import { Refusal } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext } from '#lib/service/http/messages/request-context.ts';
import type { MiddlewareRequest, Middleware } from '#lib/service/http/messages/middleware.ts';
import { type ErrorStyle, failureOf, refusalReply } from '#lib/wire/errors/refusal-reply.ts';

/** How an endpoint replies to errors. */
export interface EndpointErrors extends ErrorStyle {
  /** The message of a 500; it may depend on the request. */
  readonly failure: string | ((call: RequestContext) => string);
}

/**
 * Turns a thrown error into its reply. It must be the innermost middleware, so that all other middlewares see a reply
 * and never an error.
 */
export const envelope = (errors: EndpointErrors): Middleware => ({
  onError: (request: MiddlewareRequest): void => {
    const refusal = refusalOf(request.event, request.error, errors);
    request.event.warnings.push(...(refusal.parts.warnings ?? []));
    request.response = refusalReply(refusal, errors);
  },
});

/** The refusal that was thrown. Any other error becomes a 500, and its cause is only logged. */
export function refusalOf(call: RequestContext, error: unknown, errors: EndpointErrors): Refusal {
  const { deps, requestId } = call;
  const fields = { program_id: deps.logContext.programId };
  if (error instanceof Refusal && error.cause) deps.log.warn('request_overtaken', fields);
  if (error instanceof Refusal && error.kind !== 'failure') return error;
  deps.log.error('request_failed', error, fields);
  if (error instanceof Refusal) return error;
  return failureOf(typeof errors.failure === 'string' ? errors.failure : errors.failure(call), errors, requestId);
}
