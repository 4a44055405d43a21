import { type Step, steps } from '#lib/domain/readiness.ts';
import { badRequest } from '#lib/domain/refusals.ts';
import type { Json } from '#lib/http/call.ts';

/** What a command line asks to send: the whole chain, which wins, or one event. @throws Refusal */
export function cliTestEventBody({ type, event_type: sent }: Json): 'chain' | Step {
  if (type === 'chain') return 'chain';
  const step = steps.find((known) => known === sent);
  if (step) return step;
  const shown = typeof sent === 'string' ? sent : JSON.stringify(sent);
  throw badRequest(`Invalid event_type: ${shown}. Valid: ${steps.join(', ')}`);
}
