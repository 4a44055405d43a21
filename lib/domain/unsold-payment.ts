/** Why a payment did not become a sale. */
export const unsoldReasons = [
  'unsupported_currency',
  'attribution_window_expired',
  'no_partner_relation',
  'unknown_click',
  'id_used_elsewhere',
] as const;

export type UnsoldReason = (typeof unsoldReasons)[number];

/** A payment that named this program and was not recorded. */
export interface UnsoldPayment {
  readonly programId: number;
  /** Absent for a sale that the brand's server sent. */
  readonly eventId?: string;
  /** The processor's event id; `api` for a sale that the brand's server sent. */
  readonly eventType: string;
  readonly transactionId: string;
  readonly amountCents: number;
  /** As sent. */
  readonly currency: string;
  readonly reason: UnsoldReason;
}
