import { Refusal } from '#lib/domain/refusals.ts';
import type { RequestContext } from '#lib/service/triggers/http/request-context.ts';
import type { MiddlewareRequest, Middleware } from '#lib/service/triggers/http/middleware.ts';
import { type ErrorStyle, failureOf, refusalReply } from '#lib/wire/errors/refusal-reply.ts';

/** What an endpoint declares of its errors. */
export interface EndpointErrors extends ErrorStyle {
  /** What a caller is told when we fail; it may depend on what was asked. */
  readonly failure: string | ((call: RequestContext) => string);
}

/** Turns what was thrown into the answer that says no. Innermost, so that all others find an answer to add to. */
export const envelope = (errors: EndpointErrors): Middleware => ({
  onError: (request: MiddlewareRequest): void => {
    request.response = refusalReply(refusalOf(request, errors), errors);
  },
});

/** Whatever is no refusal is our failure: its cause goes to the log only. */
function refusalOf({ event: call, error }: MiddlewareRequest, errors: EndpointErrors): Refusal {
  const { deps, requestId } = call;
  if (error instanceof Refusal && error.kind !== 'failure') return error;
  deps.log.error('request_failed', error, { program_id: deps.logContext.programId });
  if (error instanceof Refusal) return error;
  return failureOf(typeof errors.failure === 'string' ? errors.failure : errors.failure(call), errors, requestId);
}
