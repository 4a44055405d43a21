import type middy from '@middy/core';
import type { RequestContext, Reply } from '#lib/service/http/messages/request-context.ts';

export type Middleware = middy.MiddlewareObj<RequestContext, Reply>;
export type MiddlewareRequest = middy.Request<RequestContext, Reply>;

/** A middleware that may refuse a request. */
export const before = (check: (call: RequestContext) => void | Promise<void>): Middleware => ({
  before: async ({ event: call }: MiddlewareRequest): Promise<void> => check(call),
});

/** A middleware that adds something to every reply, success or refusal. */
export const after = (seal: (call: RequestContext, reply: Reply) => void | Promise<void>): Middleware => {
  const sealReply = async ({ event: call, response: reply }: MiddlewareRequest): Promise<void> => {
    // The innermost envelope guarantees a reply.
    await seal(call, reply!);
  };
  return { after: sealReply, onError: sealReply };
};
