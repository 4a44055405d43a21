/**
 * The possible results of a Stripe event, with texts for owners and their servers: what happened, and what they should
 * do.
 */
export const eventOutcomes = {
  processed: 'It had its effect, or is kept until another event completes it.',
  repeated: 'It was processed before.',
  other_type: 'The service uses no events of this type.',
  other_endpoint: 'It is about a connected account. Do not forward such events.',
  unattributed:
    'No partner brought the customer. Where one did, check the metadata and whether the signup was sent; after a late signup or first payment send the event again.',
  bot_click: 'The click is a bot’s, a preview’s or from an ignored address. See the page Payments.',
  names_no_customer:
    'The intent’s metadata name no customer: right if Stripe made it for a checkout or an invoice. Put them on your own intents.',
  invoice_without_subscription:
    'The invoice’s metadata name no customer: right if a checkout made it. Put them on your own invoices.',
  misspelt_metadata:
    'The metadata misspell a name that would find a customer. Correct it; an owner records this payment on the page Payments.',
  other_program:
    'The metadata name another program, of a customer of this one. Correct program_id or leave it out; an owner records this payment on the page Payments.',
  no_program: 'The metadata name another program. Use its key, or leave program_id out.',
  sale_of_another_program:
    'Another program’s sale, or a test sale, has this id. An owner records the payment on the page Payments.',
  click_after_payment: 'The customer clicked only after the payment.',
  attribution_window_expired: 'The click is older than the attribution window. The next payment is checked again.',
  no_partner_relation: 'The customer’s partner was removed. Take the partner back, then retry on the page Payments.',
  no_partner: 'The operator took the customer away from its partner.',
  unsupported_currency: 'The installation takes no such currency. Ask the operator, then retry on the page Payments.',
  not_paid: 'The checkout is not paid yet. Another event follows.',
  nothing_paid: 'Nothing was paid, as at the start of a free trial.',
  amount_too_large: 'The amount is above 1,000,000,000,000. Tell the operator.',
  no_payment: 'The checkout takes no payment.',
  no_id: 'The object has no id. Forward the event as Stripe sent it.',
  no_code: 'The promotion code cannot be a partner’s.',
  nothing_to_link: 'It names the payment by one id alone.',
  nothing_refunded: 'The charge has no refunded amount.',
  nothing_disputed: 'The dispute has no amount.',
  inquiry: 'The bank only asks. Another event follows if it takes money.',
  dispute_not_won: 'The dispute ended without giving money back.',
  no_payment_named: 'The refund or dispute names no payment. Forward the event as Stripe sent it.',
  too_many_reversals: 'The payment has too many refunds and disputes. Correct the total on the sale’s page.',
  test_mode: 'A promotion code or discount of test mode. Rehearse in a sandbox program.',
  live_payment: 'A live payment in a sandbox program. Use the key of the real one.',
} as const satisfies Readonly<Record<string, string>>;

export type EventOutcome = keyof typeof eventOutcomes;

/** Why an event changed nothing. */
export type UnprocessedReason = Exclude<EventOutcome, 'processed'>;
