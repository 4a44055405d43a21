import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { Reason } from '#lib/wire/requests/reason.ts';

/** The reason of a decision. @throws Refusal */
export const givenReason = (json: Json): string => parseBody(Reason, json).reason;
