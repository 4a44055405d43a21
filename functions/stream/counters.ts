import { streamConsumer } from '#lib/stream/stream-consumer.ts';
import { countEvents } from '#lib/use-cases/count-events.ts';

/** Keeps the counters behind the events. */
export const handler = streamConsumer(countEvents);
