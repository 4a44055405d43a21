import type { PayoutPreview } from '#lib/wire/earnings/payout.ts';

/** Which commissions are paid, as parameters of the API. */
export interface PayoutChoice {
  readonly partner_id?: string;
  /** If set, commissions for payments after this UTC day are left out. */
  readonly through?: string;
  readonly method?: string;
  readonly currency?: string;
  /** Partners without payout details are left out, because no payment file could contain them. */
  readonly only_with_details: true;
}

/** The parameters of a payout, and the preview that the service returned for them. */
export interface PreviewedChoice {
  readonly choice: PayoutChoice;
  readonly preview: PayoutPreview;
}

/** What would be recorded if the owner excludes some partners of the preview. */
export interface ChosenPayout {
  /** The parameters of the request that records the payout. */
  readonly choice: PayoutChoice & { readonly except_partner_ids?: readonly number[] };
  /** The amounts that will be paid. A large payout has only the first of them. */
  readonly items: PayoutPreview['items'];
  readonly totals: Readonly<Record<string, number>>;
  readonly partners: number;
  readonly commissions: number;
}

/**
 * Removes partners from a preview. That is possible because the amount of a partner does not depend on other partners.
 * @param unticked partners whose checkbox is not set, including those that the preview does not show
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
