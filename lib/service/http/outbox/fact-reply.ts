import type { Fact } from '#lib/service/outbox/facts/fact.ts';
import type * as wire from '#lib/wire/outbox/fact.ts';

export const factReply = ({ id, type, timestamp, data }: Fact): wire.FactRow => ({ id, type, timestamp, data });
