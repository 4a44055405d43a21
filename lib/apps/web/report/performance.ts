/** What reports draw. The dashboard's figures have all amounts, a partner's some of them. */
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
  /** Of the clicks. The portal does not tell clicks by quality. */
  readonly repeat_clicks?: number;
  /** Beside the clicks: of bots and previews. */
  readonly bot_clicks?: number;
  readonly leads: number;
  readonly sales: number;
  readonly amounts: Readonly<Record<string, Readonly<Partial<Record<AmountName, number>>>>>;
}

interface Day extends Totals {
  readonly date: string;
}
