import type { ProcessorEvent } from '#lib/domain/processor-event.ts';
import type { Program } from '#lib/domain/program.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** A verified event of the card processor, and which programs it may be about. */
export interface Delivery {
  readonly event: ProcessorEvent;
  readonly programs: readonly Program[];
  /** Of the processor's ids of codes: its account, or the program whose own endpoint the event came to. */
  readonly scope: string;
  /** Goes into the transaction of the event's last effect. */
  readonly processed: Write;
}

/** Why an event changed nothing, for the log; undefined when it had its effect. */
export type Unprocessed = string | undefined;
