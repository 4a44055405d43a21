import { canonical } from '#lib/service/ground/changes/audit.ts';
import { maskedNumber } from '#lib/service/ground/parties/bank-account.ts';

/** A payer or payee, as printed on a statement. */
export interface Party {
  readonly name?: string;
  /** The postal address, which may have several lines. */
  readonly address?: string;
  /** The country's code, ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly taxId?: string;
}

export const isSameParty = (one: Party, other: Party): boolean => canonical(one) === canonical(other);

/** The party as shown to people who may not see the full tax id. */
export const withMaskedTaxId = (party: Party): Party =>
  party.taxId === undefined ? party : { ...party, taxId: maskedNumber(party.taxId) };
