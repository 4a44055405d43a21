import type { Payer } from '#lib/service/people/workspaces/payer.ts';
import type * as wire from '#lib/wire/people/payer.ts';

export const payerReply = (payer: Payer | undefined): wire.Payer => ({
  name: payer?.name ?? null,
  address: payer?.address ?? null,
  country: payer?.country ?? null,
  tax_id: payer?.taxId ?? null,
  iban_masked: payer?.ibanMasked ?? null,
  bic: payer?.bic ?? null,
  updated_at: payer?.updatedAt ?? null,
});
