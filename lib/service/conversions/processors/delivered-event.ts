import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';

/** How an event arrived: signed by the processor, or forwarded by the brand's server. */
export const deliveryWays = ['webhook', 'forwarded'] as const;
export type DeliveryWay = (typeof deliveryWays)[number];

/** The result of an event, shown to the program's owner. */
export interface DeliveredEvent<Outcome extends string = string> {
  readonly type: string;
  /** `processed`, or why the event changed nothing. */
  readonly outcome: Outcome;
  readonly via: DeliveryWay;
  /** Whether the event was a payment and was processed. */
  readonly isPayment: boolean;
}

/**
 * The result of an event, as it is stored for the program's owner.
 * @param ignored why the event changed nothing; undefined if it was processed
 */
export const deliveredEvent = <Reason extends string>(
  { type, report }: ProcessorEvent,
  ignored: Reason | undefined,
  via: DeliveryWay,
): DeliveredEvent<Reason | 'processed'> => ({
  type,
  outcome: ignored ?? 'processed',
  via,
  isPayment: report.kind === 'payment' && ignored === undefined,
});
