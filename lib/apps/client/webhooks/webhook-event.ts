import type { CommissionType, WebhookCommission } from '#lib/apps/client/webhooks/webhook-commission.ts';
import type { WebhookPayout, WebhookPayoutLine } from '#lib/apps/client/webhooks/webhook-payout.ts';

/** An event in a program, as your webhook receives it. If you compare `type`, TypeScript knows the type of `data`. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];

export type WebhookEventType = keyof WebhookData;

export interface WebhookEventOf<Type extends WebhookEventType> {
  /** Id of the event. It is the same each time the event is delivered: ignore ids that you have processed. */
  readonly id: string;
  readonly type: Type;
  /** When the event happened, ISO 8601. Events may arrive out of order. */
  readonly timestamp: string;
  readonly data: WebhookData[Type] & InProgram;
}

interface InProgram {
  readonly program_id: number;
  /** Whether this is a test event. Test events are sent to webhooks like real ones. */
  readonly is_test: boolean;
}

/** The data of each type of event: the object at the time of the event, as the API shows it. Times are ISO 8601. */
interface WebhookData {
  /** Only sent to endpoints whose list of types contains it. */
  'click.recorded': WebhookClick;
  'lead.recorded': WebhookLead;
  'lead.settled': WebhookLead;
  'sale.recorded': WebhookSale;
  /** The sale has changed: by a refund or dispute, or because its coupon code or commission became known later. */
  'sale.updated': WebhookSale;
  /** Another report of the same payment named a different customer, so the sale now belongs to a different partner. */
  'sale.reattributed': WebhookSale;
  'sale.refunded': WebhookRefund;
  'sale.disputed': WebhookRefund;
  'commission.created': WebhookCommission;
  /** A rule of the program holds the commission for review, until a person decides. */
  'commission.held': WebhookCommission;
  'commission.released': WebhookCommission;
  'commission.approved': WebhookCommission;
  'commission.rejected': WebhookCommission;
  'commission.reopened': WebhookCommission;
  'commission.reduced': WebhookCommission;
  'commission.reversed': WebhookCommission;
  'commission.restored': WebhookCommission;
  /**
   * The amount was computed again: the sale's tax or the partner's sales of the last month became known, or the sale
   * was assigned to another customer and partner.
   */
  'commission.recalculated': WebhookCommission;
  'commission.paid': WebhookCommission;
  /** The payout line that paid the commission failed or became void, so the commission is due again. */
  'commission.unpaid': WebhookCommission;
  'payout.created': WebhookPayout;
  /** The status of a payout line has changed. */
  'payout.line_changed': WebhookPayoutLine;
  'partner.added': WebhookPartner;
  'partner.applied': WebhookPartner;
  'partner.removed': WebhookPartner;
  'link.created': WebhookLink;
  'code.created': WebhookCode;
  'key.rotation_due': WebhookKeyRotation;
  'endpoint.test': WebhookTest;
}

interface Tracked {
  readonly id: number;
  readonly created_at: string;
  /** Whether the event was sent with the program key. */
  readonly keyed: boolean;
  readonly partner_id: number | null;
  readonly partner_name: string | null;
  readonly click_id: string | null;
  readonly customer_key: string | null;
}

export interface WebhookClick extends Tracked {
  readonly type: 'click';
  readonly short_link: string | null;
  readonly page_url: string | null;
  readonly referrer_url: string | null;
  readonly first: boolean;
  readonly quality: 'ok' | 'bot' | 'preview' | 'repeat' | 'paid_ad';
}

export interface WebhookLead extends Tracked {
  readonly type: 'lead';
  readonly state: 'provisional' | 'settled' | null;
  readonly mode: 'server' | 'browser' | 'processor';
  readonly event_name: string | null;
  readonly email_masked: string | null;
}

export interface WebhookSale extends Tracked {
  readonly type: 'sale';
  readonly transaction_id: string;
  readonly amount_cents: number;
  readonly currency: string;
  readonly source: 'api' | 'processor';
  readonly occurred_at: string;
  readonly is_recurring: boolean;
  readonly payment_status: 'paid' | 'partially_refunded' | 'refunded' | 'disputed';
  readonly refunded_amount_cents: number;
  readonly commission_id: number | null;
  readonly code: string | null;
  /** Increases with each change, beginning at 1. Of several events, the one with the highest version is the latest. */
  readonly version: number;
}

export interface WebhookRefund extends Tracked {
  readonly type: 'refund';
  readonly sale_id: number;
  readonly transaction_id: string;
  readonly reason: 'refund' | 'chargeback' | 'dispute_won' | 'correction' | 'duplicate';
  readonly refund_reason: string | null;
  readonly amount_cents: number;
  /** The total amount refunded for the sale so far. */
  readonly refunded_amount_cents: number;
  /** The amount deducted from the partner's commission. */
  readonly deduction_cents: number;
  readonly currency: string;
}

interface Terms {
  readonly commission_type: CommissionType;
  readonly commission_rate: number;
  readonly duration_months: number | null;
  readonly hold_period_days: number;
  readonly lead_commission_cents: number;
  readonly tiers: readonly { readonly from_sales: number; readonly rate: number }[];
}

interface LinkAmounts {
  readonly revenue_cents: number;
  readonly commission_cents: number;
}

/** How many events came through a partner or link. `clicks` does not count clicks of bots and link previews. */
interface Counts {
  readonly clicks: number;
  readonly bot_clicks: number;
  readonly repeat_clicks: number;
  readonly leads: number;
  readonly sales: number;
}

export interface WebhookPartner extends Counts {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly status: 'active' | 'removed' | 'invited' | 'applied' | 'rejected' | 'expired';
  readonly group_id: number | null;
  readonly group_name: string | null;
  /** The terms agreed with this partner alone; null if the program's general terms apply. */
  readonly terms: Terms | null;
  readonly terms_in_force: Terms & {
    readonly version: number;
    readonly from: 'program' | 'group' | 'partner';
    readonly name: string | null;
  };
  readonly links: readonly string[];
  /** Amounts by currency code. */
  readonly amounts: Readonly<Record<string, LinkAmounts & { readonly paid_out_cents: number | null }>>;
  readonly payout: {
    readonly method: 'bank' | 'paypal' | 'wise' | 'other';
    readonly masked: string;
    readonly updated_at: string;
    readonly held_until: string | null;
  } | null;
  readonly mail: 'ok' | 'refused' | 'suppressed';
  readonly joined_at: string | null;
  /** When the partner left the program; null if the partner did not leave. */
  readonly left_at: string | null;
  readonly invited_at: string | null;
  /** What the person gets on accepting. Null once the person has accepted. */
  readonly promised_link: string | null;
  readonly promised_code: string | null;
  readonly application: {
    readonly message: string | null;
    readonly website: string | null;
    readonly applied_at: string;
    /**
     * Whether the application is listed after all others, because many applications came from the same network or mail
     * domain.
     */
    readonly queued: boolean;
  } | null;
  readonly rejection_reason: string | null;
  readonly accepted_terms: { readonly version: number; readonly accepted_at: string } | null;
  /** Always empty in webhooks. Owners see in the dashboard which other partners are paid to the same account. */
  readonly same_account: readonly number[];
  readonly has_account: boolean;
  readonly created_at: string;
}

export interface WebhookLink extends Counts {
  readonly short_link: string;
  readonly url: string;
  readonly destination_url: string;
  readonly partner_id: number | null;
  readonly partner_name: string | null;
  readonly status: 'active' | 'inactive';
  /** Amounts by currency code. */
  readonly amounts: Readonly<Record<string, LinkAmounts>>;
  readonly last_clicked_at: string | null;
  readonly created_at: string;
}

export interface WebhookCode {
  readonly code: string;
  readonly partner_id: number;
  readonly partner_name: string | null;
  readonly status: 'active' | 'disabled';
  readonly processor_code_id: string | null;
  readonly discount: string | null;
  readonly redemptions: number;
  readonly sales: number;
  readonly created_at: string;
}

export interface WebhookKeyRotation {
  /** When the program key stops working. Before that, an owner must generate a new one. */
  readonly rotate_by: string;
}

/** A test event, which is sent to one endpoint. */
export interface WebhookTest {
  /** The event type for which the test was requested, if any. */
  readonly event?: WebhookEventType | undefined;
}
