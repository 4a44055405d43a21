import type { Fact } from '#lib/domain/fact.ts';
import type * as wire from '#lib/wire/fact.ts';

export const factReply = ({ id, type, timestamp, data }: Fact): wire.FactRow => ({ id, type, timestamp, data });
