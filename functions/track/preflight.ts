import { preflightReply } from '#lib/service/triggers/http/cors.ts';
import { createHandler } from '#lib/service/triggers/http/handler.ts';

export const handler = createHandler({ middlewares: [], errors: { failure: 'Request failed' }, run: preflightReply });
