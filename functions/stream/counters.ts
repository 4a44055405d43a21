import { streamConsumer } from '#lib/service/http/triggers/stream-consumer.ts';
import { countEvents } from '#lib/service/reports/counting/count-events.ts';

/** Updates the counters from the events. */
export const handler = streamConsumer(countEvents);
