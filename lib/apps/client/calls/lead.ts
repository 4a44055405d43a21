import type { ReferralError, Warning } from '#lib/apps/client/errors/referral-error.ts';
import { bodyOf } from '#lib/apps/client/errors/field-names.ts';
import type { Json } from '#lib/apps/client/errors/error-of-reply.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

/** A signup. Send `customerId` or `clickId`, and preferably both. */
export interface Lead {
  /** Your own permanent id of the user. Send the same id with every sale. */
  readonly customerId?: string | number;
  /** The value of the cookie `service_click_id`. */
  readonly clickId?: string | undefined;
  readonly email?: string | undefined;
  /**
   * Send false if you have not verified that the e-mail address belongs to the customer. Payments are then not assigned
   * to the customer by this address.
   */
  readonly emailVerified?: boolean;
  readonly eventName?: string;
  /** Any data to store with the lead. `test_mode` is removed and reported on the console: the lead is a real one. */
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

export interface RecordedLead {
  readonly success: true;
  readonly duplicate: false;
  readonly message: string;
  readonly warnings?: readonly Warning[];
}

/** The reply if the lead was already recorded, by an earlier attempt of this call whose reply was lost. */
export interface RepeatedLead {
  readonly success: true;
  readonly duplicate: true;
  readonly warnings?: readonly Warning[];
}

/** The reply if the customer came without a partner. Nothing was recorded; this is not an error. */
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
 * Whether the error says that the customer is already a lead. After a retry, this means that an earlier attempt
 * succeeded.
 */
export const saysLeadIsRecorded = (error: ReferralError): boolean => error.reason === 'customer_past_lead';
