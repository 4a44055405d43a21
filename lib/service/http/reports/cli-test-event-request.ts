import { type Step, steps } from '#lib/service/reports/figures/readiness.ts';
import { notOneOf } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext, Json } from '#lib/service/http/messages/request-context.ts';

/**
 * The request of a test by the CLI: for the whole verification chain, or for one event. If both are requested, the
 * chain is run.
 */
export function cliTestEventBody({ type, event_type: sent }: Json): 'chain' | Step {
  if (type === 'chain') return 'chain';
  const step = steps.find((known) => known === sent);
  if (step === undefined) throw notOneOf('event_type', sent, steps);
  return step;
}

/** Whether a request asks for the verification chain. The body need not be checked yet. */
export function asksForChain({ body }: Pick<RequestContext, 'body'>): boolean {
  try {
    return body() === 'chain';
  } catch {
    return false;
  }
}
