import type { UnprocessedReason } from '#lib/service/conversions/processors/event-outcomes.ts';
import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** A verified event of the card processor, with the programs it may belong to. */
export interface Delivery {
  readonly event: ProcessorEvent;
  readonly programs: readonly Program[];
  /**
   * The scope in which the processor's ids of promotion codes are unique: its account, or the program whose endpoint
   * received the event.
   */
  readonly scope: string;
  /** The write that marks the event as processed. It belongs to the last transaction that the event causes. */
  readonly processed: Write;
}

/** Why an event of a program changed nothing. Undefined if it had an effect. */
export type Unprocessed = UnprocessedReason | undefined;

/** Why an event at the platform's endpoint changed nothing. For events about accounts, the reason is only logged. */
export type UnprocessedByPlatform = Unprocessed | 'unknown_account' | 'unknown_account_or_late' | 'late';
