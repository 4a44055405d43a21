import { streamConsumer } from '#lib/service/triggers/stream/stream-consumer.ts';
import { countEvents } from '#lib/service/use-cases/count-events.ts';

/** Keeps the counters behind the events. */
export const handler = streamConsumer(countEvents);
