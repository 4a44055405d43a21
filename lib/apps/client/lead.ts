import type { ReferralError, Warning } from '#lib/apps/client/referral-error.ts';
import { bodyOf } from '#lib/apps/client/field-names.ts';
import type { Json } from '#lib/apps/client/error-of-reply.ts';
import type { WireRequest } from '#lib/apps/client/transport.ts';

/** A signup. One of `customerId` and `clickId` is needed; both are best. */
export interface Lead {
  /** Your own stable id of the user: the same one as on every sale. */
  readonly customerId?: string | number;
  /** Value of the `service_click_id` cookie. */
  readonly clickId?: string;
  readonly email?: string;
  /** False: you do not know yet whether the address is theirs. Then no payment finds the customer by it. */
  readonly emailVerified?: boolean;
  readonly eventName?: string;
  /** Whatever you want kept with the lead. `test_mode` is removed: this library records no test events. */
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

export interface RecordedLead {
  readonly success: true;
  readonly duplicate: false;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

/** The lead had been recorded by the attempt before, whose reply was lost. */
export interface RepeatedLead {
  readonly success: true;
  readonly duplicate: true;
  readonly warnings?: readonly Warning[];
}

/** No partner brought the customer: nothing was recorded, and nothing is wrong. */
export interface UnattributedLead {
  readonly success: true;
  readonly duplicate: false;
  readonly attributed: false;
  readonly reason: 'no_attribution';
  readonly warnings?: readonly Warning[];
}

export const leadNames = {
  customerId: 'customer_key',
  clickId: 'click_id',
  email: 'email',
  emailVerified: 'email_verified',
  eventName: 'event_name',
  additionalData: 'additional_data',
} as const satisfies Readonly<Record<keyof Lead, string>>;

export const leadRequest = ({ eventName, additionalData, ...lead }: Lead): WireRequest => ({
  method: 'POST',
  path: '/api/v1/track/lead',
  body: bodyOf(leadNames, {
    ...lead,
    additionalData: additionalDataOf({ ...additionalData, ...(eventName !== undefined && { event_name: eventName }) }),
  }),
});

function additionalDataOf(given: Json): Json | undefined {
  const { test_mode: _, ...data } = given;
  return Object.keys(data).length > 0 ? data : undefined;
}

/**
 * The customer is a lead already. On a repeated call that means that the attempt before it was the one that counted.
 */
export const saysLeadIsRecorded = (error: ReferralError): boolean => error.reason === 'customer_past_lead';
