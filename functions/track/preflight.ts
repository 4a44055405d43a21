import { preflightReply } from '#lib/service/triggers/http/cors.ts';
import { handlerOf } from '#lib/service/triggers/http/handler.ts';

export const handler = handlerOf({ middlewares: [], errors: { failure: 'Request failed' }, run: preflightReply });
