import { type Party, withMaskedTaxId } from '#lib/service/ground/parties/party.ts';
import type { Billing } from '#lib/service/programs/payout-details/billing.ts';
import type * as wire from '#lib/wire/partners/portal-billing.ts';

/** The reply with billing details. @param isView whether an owner views the program as the partner */
export const billingReply = ({ party, updatedAt }: Billing, isView = false): wire.Billing => ({
  ...partyReply(isView ? withMaskedTaxId(party) : party),
  updated_at: updatedAt,
});

const partyReply = ({ name, address, country, taxId }: Party) => ({
  name: name ?? null,
  address: address ?? null,
  country: country ?? null,
  tax_id: taxId ?? null,
});
