import { maskedNumber } from '#lib/service/ground/parties/bank-account.ts';
import type { Party } from '#lib/service/ground/parties/party.ts';

/** With what name and from which account a workspace pays its partners. */
export interface Payer extends Party {
  /** The IBAN, encrypted for the workspace. */
  readonly sealedIban?: string;
  readonly ibanMasked?: string;
  readonly bic?: string;
  /** Incremented by every change. */
  readonly version: number;
  /** When the payer was last changed, ISO 8601. */
  readonly updatedAt: string;
  /** Who made the last change, by name. */
  readonly changedBy?: string;
}

/** Fields to change; an empty text removes the value. */
export interface PayerChange extends Party {
  readonly iban?: string;
  readonly bic?: string;
}

/** The value of a field as the audit log shows it. */
export function auditedPayerField(payer: Payer | undefined, field: keyof Payer): unknown {
  if (field === 'taxId') return payer?.taxId === undefined ? null : maskedNumber(payer.taxId);
  return payer?.[field] ?? null;
}
