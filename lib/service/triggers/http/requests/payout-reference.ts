import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { PayoutReference } from '#lib/wire/requests/payout-reference.ts';

/** @throws Refusal */
export const payoutReference = (json: Json): string => parseBody(PayoutReference, json).reference;
