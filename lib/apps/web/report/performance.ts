/** Data for reports. The dashboard has all amounts, a partner's report some of them. */
export interface Performance {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Day[];
  readonly totals: Totals;
  /** The equally long period before. */
  readonly previous: { readonly from: string; readonly to: string; readonly totals: Totals };
}

export type AmountName = 'revenue_cents' | 'refunded_cents' | 'commission_cents';

export interface Totals {
  readonly clicks: number;
  /** How many of the clicks are repeat clicks. Undefined in the portal. */
  readonly repeat_clicks?: number;
  /** Clicks of bots and previews, which `clicks` does not include. */
  readonly bot_clicks?: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<AmountName, number>>>>>;
}

interface Day extends Totals {
  readonly date: string;
}
