import { type Step, steps } from '#lib/service/reports/figures/readiness.ts';
import { notOneOf } from '#lib/service/ground/values/refusals.ts';
import type { RequestContext, Json } from '#lib/service/http/messages/request-context.ts';

/** The request of a CLI test: the whole chain, which has precedence, or one event. @throws Refusal */
export function cliTestEventBody({ type, event_type: sent }: Json): 'chain' | Step {
  if (type === 'chain') return 'chain';
  const step = steps.find((known) => known === sent);
  if (step === undefined) throw notOneOf('event_type', sent, steps);
  return step;
}

/** Whether a request asks for the chain. It also works when the body has not been checked yet. */
export function asksForChain({ body }: Pick<RequestContext, 'body'>): boolean {
  try {
    return body() === 'chain';
  } catch {
    return false;
  }
}
