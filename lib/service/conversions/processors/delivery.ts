import type { UnprocessedReason } from '#lib/service/conversions/processors/event-outcomes.ts';
import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A verified event of the card processor, and which programs it may be about. */
export interface Delivery {
  readonly event: ProcessorEvent;
  readonly programs: readonly Program[];
  /** Of the processor's ids of codes: its account, or the program whose own endpoint the event came to. */
  readonly scope: string;
  /** Goes into the transaction of the event's last effect. */
  readonly processed: Write;
}

/** Why an event of a program changed nothing; undefined when it had its effect. */
export type Unprocessed = UnprocessedReason | undefined;

/** The same at the platform's endpoint, where the log alone tells what becomes of events about accounts. */
export type UnprocessedByPlatform = Unprocessed | 'unknown_account' | 'unknown_account_or_late' | 'late';
