import { preflightReply } from '#lib/http/cors.ts';
import { handlerOf } from '#lib/http/handler.ts';

export const handler = handlerOf({ middlewares: [], errors: { failure: 'Request failed' }, run: preflightReply });
