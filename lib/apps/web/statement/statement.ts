interface Party {
  readonly name: string | null;
  readonly address: string | null;
  readonly country: string | null;
  readonly tax_id: string | null;
}

/** The statement of a payout line, as of the API. */
export interface Statement {
  readonly number: string;
  readonly status: 'recorded' | 'sent' | 'paid' | 'failed' | 'void';
  readonly reason: string | null;
  readonly program: { readonly id: number; readonly name: string };
  readonly payer: Party;
  readonly payee: Party;
  readonly paid_to: { readonly method: 'bank' | 'paypal' | 'wise' | 'other'; readonly masked: string } | null;
  readonly reference: string | null;
  readonly currency: string;
  readonly issued_on: string;
  readonly sent_on: string | null;
  readonly paid_on: string | null;
  readonly ended_on: string | null;
  readonly total_cents: number;
  readonly note: string | null;
  readonly items_total: number;
  /** The first 1,000. */
  readonly items: readonly {
    readonly commission_id: number;
    readonly occurred_at: string;
    readonly text: string;
    readonly amount_cents: number;
  }[];
}
