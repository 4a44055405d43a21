import type middy from '@middy/core';
import type { Call, Reply } from '#lib/service/triggers/http/call.ts';

export type Middleware = middy.MiddlewareObj<Call, Reply>;
export type CallRequest = middy.Request<Call, Reply>;

/** A middleware that may refuse a request on its way in. */
export const onTheWayIn = (check: (call: Call) => void | Promise<void>): Middleware => ({
  before: async ({ event: call }: CallRequest): Promise<void> => check(call),
});

/** A middleware that adds to the answer, to successes and refusals alike. */
export const onTheWayOut = (seal: (call: Call, reply: Reply) => void | Promise<void>): Middleware => {
  const sealReply = async ({ event: call, response: reply }: CallRequest): Promise<void> => {
    // The envelope, innermost, has made an answer of whatever happened.
    await seal(call, reply!);
  };
  return { after: sealReply, onError: sealReply };
};
