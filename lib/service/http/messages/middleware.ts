import type middy from '@middy/core';
import type { RequestContext, Reply } from '#lib/service/http/messages/request-context.ts';

export type Middleware = middy.MiddlewareObj<RequestContext, Reply>;
export type MiddlewareRequest = middy.Request<RequestContext, Reply>;

/** Creates a middleware that may refuse a request before it is processed. */
export const before = (check: (call: RequestContext) => void | Promise<void>): Middleware => ({
  before: async ({ event: call }: MiddlewareRequest): Promise<void> => check(call),
});

/** Creates a middleware that adds something to every reply, whether it reports success or a refusal. */
export const after = (seal: (call: RequestContext, reply: Reply) => void | Promise<void>): Middleware => {
  const sealReply = async ({ event: call, response: reply }: MiddlewareRequest): Promise<void> => {
    // There is always a reply, because the innermost middleware turns errors into replies.
    await seal(call, reply!);
  };
  return { after: sealReply, onError: sealReply };
};
