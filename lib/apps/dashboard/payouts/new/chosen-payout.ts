import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** The commissions to pay, as parameters of the API. */
export interface PayoutChoice {
  readonly partner_id?: string;
  /** Last UTC day of payments to include. */
  readonly through?: string;
  readonly method?: string;
  readonly currency?: string;
  /** Partners without payout details are left out: no file could pay them. */
  readonly only_with_details: true;
}

/** A choice of commissions with its preview. */
export interface PreviewedChoice {
  readonly choice: PayoutChoice;
  readonly preview: PayoutPreview;
}

/** What would be recorded, after partners were taken out of the preview. */
export interface ChosenPayout {
  /** The request. */
  readonly choice: PayoutChoice & { readonly except_partner_ids?: readonly number[] };
  /** The amounts to send; of a large payout the first ones. */
  readonly items: PayoutPreview['items'];
  readonly totals: Readonly<Record<string, number>>;
  readonly partners: number;
  readonly commissions: number;
}

/**
 * Subtracts partners from a preview. What one partner is due does not depend on the others.
 * @param unticked partners without a tick, also those that the preview does not show
 */
export function chosenOf({ choice, preview }: PreviewedChoice, unticked: ReadonlySet<number>): ChosenPayout {
  const out = preview.items.filter(({ partner_id: id }) => unticked.has(id));
  const ids = [...new Set(out.map(({ partner_id: id }) => id))];
  const totals = new Map(Object.entries(preview.totals));
  let { commissions } = preview.counts;
  for (const { currency, amount_cents: cents, commission_ids: taken } of out) {
    totals.set(currency, totals.get(currency)! - cents);
    commissions -= taken.length;
  }
  return {
    choice: ids.length === 0 ? choice : { ...choice, except_partner_ids: ids },
    items: preview.items.filter(({ partner_id: id }) => !unticked.has(id)),
    totals: Object.fromEntries([...totals].filter(([, cents]) => cents > 0)),
    partners: preview.counts.partners - ids.length,
    commissions,
  };
}
