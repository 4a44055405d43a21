interface Warning {
  readonly message: string;
  readonly hint: string;
}

/** Warnings that a reply adds to its result, so that a mistake is noticed before it costs money. */
export const warnings = {
  bot_click: {
    message: 'A bot, a preview or an ignored address made this click: its click id finds nobody.',
    hint: 'Headless browsers count as bots. To try the program out, follow the link in a browser of your own.',
  },
  test_click: {
    message: 'This click id is of a test click, which finds nobody.',
    hint: 'Send the value of the cookie service_click_id of a visitor who came through a referral link.',
  },
  other_program_click: {
    message: 'The click of this click id was made for another program.',
    hint: "Check that your server uses the key of the program whose tracker is on the page, and not another one's.",
  },
  unknown_click: {
    message: 'No click has this click id.',
    hint: 'Send the value of the cookie service_click_id, unchanged. A click that has expired, or a customer who was unlinked or erased, is not found either.',
  },
  possible_double_count: {
    message: 'If Stripe reports this payment too, it counts twice: no id in this sale is that of a payment at Stripe.',
    hint: 'Send the id of the payment intent (pi_…) as provider_payment_id, or that of the session (cs_…) or invoice (in_…) as transaction_id. Where another processor took the payment, name it as provider.',
  },
} as const satisfies Readonly<Record<string, Warning>>;

export type WarningCode = keyof typeof warnings;
