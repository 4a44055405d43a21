import * as z from 'zod/mini';
import { badRequest } from '#lib/service/ground/values/refusals.ts';
import { jsonBody } from '#lib/service/http/messages/body.ts';
import type { RequestContext, Json, Reply } from '#lib/service/http/messages/request-context.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import type { Clock } from '#infra/local/run/clock.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

const ClockMove = z.union([
  z.object({ advance_seconds: z.number() }),
  z.object({ now: z.iso.datetime({ offset: true }) }),
  z.object({ reset: z.literal(true) }),
]);

/** Routes that show and set the service's time in a local run. */
export const clockRoutes = (clock: Clock): ServedRoute[] => [
  { method: 'GET', path: '/local/clock', handler: localHandler(() => timeReply(clock)) },
  {
    method: 'POST',
    path: '/local/clock',
    handler: localHandler(async ({ body }) => {
      await moveClock(clock, body() as Json);
      return timeReply(clock);
    }),
  },
];

const localHandler = (run: (call: RequestContext) => Reply | Promise<Reply>) =>
  createHandler({
    middlewares: [],
    errors: { failure: 'Request failed' },
    readBody: ({ event }) => jsonBody(event),
    run,
  });

/**
 * Sets the service's clock.
 * @param body sets a time, advances the time, or resets the clock
 * @throws Refusal if the body does none of these, or the time is invalid
 */
function moveClock(clock: Clock, body: Json): Promise<void> {
  const { data: move } = ClockMove.safeParse(body);
  if (move && 'reset' in move) return clock.reset();
  const time = new Date(move ? timeAfter(move, clock.now()) : Number.NaN).getTime();
  if (Number.isNaN(time)) throw badRequest('Send advance_seconds, now or reset');
  return clock.set(time);
}

const timeAfter = (move: { advance_seconds: number } | { now: string }, now: number): number =>
  'now' in move ? Date.parse(move.now) : now + move.advance_seconds * 1000;

const timeReply = (clock: Clock): Reply => ({
  statusCode: 200,
  headers: {},
  body: { now: new Date(clock.now()).toISOString() },
});
