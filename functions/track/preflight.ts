import { preflightReply } from '#lib/service/http/clients/cors.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';

export const handler = createHandler({ middlewares: [], errors: { failure: 'Request failed' }, run: preflightReply });
