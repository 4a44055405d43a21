import { streamConsumer } from '#lib/service/http/triggers/stream-consumer.ts';
import { countEvents } from '#lib/service/reports/counting/count-events.ts';

/** Keeps the counters behind the events. */
export const handler = streamConsumer(countEvents);
