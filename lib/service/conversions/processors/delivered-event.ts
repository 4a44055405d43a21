import type { ProcessorEvent } from '#lib/service/conversions/processors/processor-event.ts';

/** How events come in: signed by the processor itself, or forwarded by the brand's server. */
export const deliveryWays = ['webhook', 'forwarded'] as const;
export type DeliveryWay = (typeof deliveryWays)[number];

/** What became of an event, for the program's owner. */
export interface DeliveredEvent<Outcome extends string = string> {
  readonly type: string;
  /** `processed`, or why the event changed nothing. */
  readonly outcome: Outcome;
  readonly via: DeliveryWay;
  /** Whether it is a payment, and was processed. */
  readonly isPayment: boolean;
}

/** @param ignored why the event changed nothing */
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
