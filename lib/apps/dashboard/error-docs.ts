interface MessageDoc {
  readonly message: string;
  readonly meaning: string;
}

/** Explains one error code on the page to which `docs_url` leads. The code is the anchor on that page. */
export interface ErrorDoc {
  readonly code: string;
  readonly status: string;
  readonly happened: string;
  readonly action: string;
  readonly isRetryable: boolean;
  /** When to call again; undefined if that is "at once" or "never". */
  readonly badge?: string;
  readonly messages?: readonly MessageDoc[];
}

const noJsonObject: MessageDoc = {
  message: 'Invalid JSON body',
  meaning:
    'The body must be a JSON object, {…}. It is no JSON at all; or it is a list, or a text in quotes that holds JSON, because it was encoded twice.',
};

export const errorDocs: readonly ErrorDoc[] = [
  {
    code: 'invalid_request',
    status: '400',
    happened: 'A field is missing or has a value that cannot be used. The message names the first such field.',
    action: 'Correct the request. Repeating it unchanged gives the same answer.',
    isRetryable: false,
    messages: [
      {
        message: 'Unknown field curency. Did you mean currency?',
        meaning:
          'A sale, a refund or a signup from your server has a field that is close to one that counts. Send it under the name that the message gives, or under a name that resembles none.',
      },
      {
        message: 'transaction_id is required and must be a string',
        meaning: 'Every real sale needs an id of its own, such as the invoice’s. A number must be sent as text.',
      },
      {
        message: 'amount_cents is required and must be a positive integer',
        meaning: 'Send the smallest currency unit as a number: 4900 for 49 dollars, without quotes and fractions.',
      },
      {
        message: 'tax_cents must be an integer from 0 to amount_cents',
        meaning:
          'It is the part of the amount that is tax, in the same unit. Leave the field out where it is not known.',
      },
      {
        message: 'occurred_at must be an ISO 8601 time within the last 30 days',
        meaning: 'Send an offset or Z, such as 2026-11-20T15:00:00Z. Leave the field out to mean now.',
      },
      {
        message: 'Customer not found. Provide customer_key or click_id.',
        meaning: 'With this code, neither was sent. Send the user id that you sent with the signup.',
      },
      { message: 'reason must be refund or chargeback', meaning: 'Free text belongs into refund_reason.' },
      noJsonObject,
    ],
  },
  {
    code: 'no_attribution',
    status: '400',
    happened: 'The sale names a customer, but no partner can be credited with it.',
    action:
      'Check that the signup was sent with the same customer_key, and that the visitor came through a referral link. A customer who came by themselves has no partner, and this answer is right.',
    isRetryable: false,
    messages: [
      {
        message: 'Customer not found. Provide customer_key or click_id.',
        meaning:
          'No customer has this key or click id. Usually the signup was never sent, or with another id. A browser signup of a program that wants the server’s word is provisional: its customer key is not known yet; send the lead from your server with click_id and customer_key first.',
      },
      {
        message: 'No affiliate attribution found for this customer in this program',
        meaning: 'The customer belongs to another program. Check which program’s key your server uses.',
      },
      {
        message: 'No partner-program relationship found for this customer',
        meaning: 'The customer’s partner was removed from the program. Take the partner back to record such sales.',
      },
      {
        message: 'partnerId required to create commission',
        meaning:
          'The customer has no partner any more. The sale itself is stored: do not repeat it, a repetition answers 409.',
      },
    ],
  },
  {
    code: 'unauthorized',
    status: '401',
    happened: 'The sale or refund came without a usable program key.',
    action:
      'Send the header Authorization: Bearer <key>. After a key was replaced only the new one works: a workspace owner generates it in the dashboard, under Settings, API Key.',
    isRetryable: false,
    messages: [
      {
        message: 'Missing or malformed Authorization header. Expected: Bearer <token>',
        meaning: 'The header is absent, or does not begin with Bearer and a space.',
      },
      { message: 'Missing API token', meaning: 'Nothing follows Bearer. Is the environment variable set?' },
      { message: 'Invalid API token', meaning: 'No program has this key. It may have been replaced.' },
    ],
  },
  {
    code: 'invalid_key',
    status: '401',
    happened: 'The readiness check came without a usable program key.',
    action: 'Send a current program key, as for sales. A login token does not work here.',
    isRetryable: false,
  },
  {
    code: 'api_key_rotation_required',
    status: '401, or a warning beside any answer',
    happened:
      'The operator demands that this program key be replaced. Until the day named in the warning it works; from then on it is retired and every call with it is refused.',
    action:
      'A workspace owner generates a new key in the dashboard, under Settings, API Key. The old one stops working at that moment, so have the place at hand where your server keeps SERVICE_API_KEY.',
    isRetryable: false,
  },
  {
    code: 'bot_click',
    status: 'a warning beside a click, a signup or a sale',
    happened:
      'The click was made by a bot, a headless browser or a link preview, or came from an address that the program ignores. It is counted as such, and its click id matches no customer, so a signup or sale with it has no partner.',
    action:
      'Of real bots nothing is to be done. To try out your integration, follow a referral link in a browser of your own, from an address that the settings do not ignore, or use test mode.',
    isRetryable: false,
  },
  {
    code: 'test_click',
    status: 'a warning beside a signup or a sale',
    happened: 'The click id that was sent is of a test click, which matches no customer.',
    action: 'Send the value of the cookie service_click_id of a visitor who came through a referral link.',
    isRetryable: false,
  },
  {
    code: 'other_program_click',
    status: 'a warning beside a signup or a sale',
    happened: 'The click id that was sent is of a click for another program than that of the key.',
    action:
      'Check which program’s key your server uses, and which program’s tracker is on the page: both must be of one program.',
    isRetryable: false,
  },
  {
    code: 'unknown_click',
    status: 'a warning beside a signup or a sale',
    happened: 'No click has the click id that was sent, it has expired, or its customer was unlinked or erased.',
    action:
      'Check that your server passes on the value of the cookie service_click_id as it is: not cut, not in another case, not that of another installation.',
    isRetryable: false,
  },
  {
    code: 'possible_double_count',
    status: 'a warning beside a recorded sale',
    happened:
      'The sale is recorded. The program has a connected card processor, and no id in the sale is that of a payment at Stripe: if Stripe reports the same payment, it is a second sale with a second commission. Where your own server forwards Stripe’s events the same holds, but this warning does not appear.',
    action:
      'Send Stripe’s id of the payment intent (pi_) as provider_payment_id, or that of the checkout session (cs_) or the invoice (in_) as transaction_id. The id of a charge (ch_, py_) connects the records only once Stripe’s payment_intent.succeeded has been delivered. Payments that Stripe does not make need their provider, such as paypal.',
    isRetryable: false,
  },
  {
    code: 'ACCOUNT_BLOCKED',
    status: '403',
    happened: 'The operator has suspended this account. details.code says so.',
    action: 'Signing in again does not help. Ask the operator of the service.',
    isRetryable: false,
  },
  {
    code: 'not_found',
    status: '404',
    happened: 'The program has no sale with this transaction_id, so there is nothing to refund.',
    action:
      'Use the id with which the sale was sent, and the key of the same program. A refund that may have come before its sale, from a queue for example, must be sent again once the sale is recorded: nothing of it is kept. A sale that will never be recorded needs no refund.',
    isRetryable: false,
    badge: 'Repeat once the sale is recorded',
  },
  {
    code: 'duplicate_transaction',
    status: '409',
    happened:
      'A sale with this transaction_id is recorded already. Ids are unique over all programs, and over test and real sales.',
    action:
      'With details.own true treat it as success: details.sale_id names the recorded sale of this program, which was counted once. With false another program’s sale, or a test sale, has the id, and this sale is not recorded: an owner can record it on the page Payments. Put a prefix of your own before your ids.',
    isRetryable: false,
  },
  {
    code: 'link_disabled',
    status: '410',
    happened: 'The referral link was switched off, or its partner was removed. No click was recorded.',
    action: 'Switch the link on again in the dashboard, under Links, or take the partner back under Partners.',
    isRetryable: false,
  },
  {
    code: 'unsupported_currency',
    status: '422',
    happened:
      'This installation takes no sales in this currency. Nothing was recorded, and the transaction_id is still free.',
    action:
      'Convert the amount to a currency that the settings of a program offer (USD, EUR and VND, unless the operator chose others), and send the sale again under the same id. A refund or dispute of a payment by Stripe that was charged in another currency takes its share of the charge off the sale.',
    isRetryable: false,
  },
  {
    code: 'rate_limited',
    status: '429',
    happened: 'Too many requests in this minute, or more than ten verification chains of a program in this hour.',
    action: 'Wait for retry_after_seconds, then send the request again. It was refused before anything happened.',
    isRetryable: true,
  },
  {
    code: 'internal_error',
    status: '500',
    happened: 'The service failed. The request may have had its effect.',
    action:
      'Send the same request again, first after a second, then more slowly. A sale that was recorded answers 409, a lead 400: both are fine. Name the X-Request-ID when you ask for help.',
    isRetryable: true,
    messages: [
      {
        message: 'Failed to create commission',
        meaning:
          'The exception: the sale is recorded, its commission is not. Do not repeat it. The operator creates the commission.',
      },
      { message: 'Failed to compute readiness. Retry shortly.', meaning: 'Ask again in ten seconds.' },
    ],
  },
];

/** Messages of errors that have no code: those of clicks, leads, the command line and the Stripe endpoints. */
export const uncodedMessages: readonly MessageDoc[] = [
  noJsonObject,
  {
    message: 'Referral link not found',
    meaning: 'No link has the name that the address carries as aff. Capital letters matter.',
  },
  {
    message: 'No aff parameter found in affiliate_url',
    meaning: 'The visitor did not come through a referral link, so there is no click to record.',
  },
  {
    message: 'click_id or customer_key is required',
    meaning: 'A signup needs the click’s id, your user id, or better both.',
  },
  {
    message: 'Customer not found. Provide a valid click_id or customer_key.',
    meaning:
      'The signup belongs to no recorded click. For a visitor who came by themselves that is right, and needs no care.',
  },
  {
    message: 'Customer status cannot be updated to lead. Current status: lead',
    meaning: 'The signup is recorded already, or the customer has bought. It can be ignored.',
  },
  {
    message: 'Customer does not belong to this program',
    meaning: 'The click was made for another program. Check which program’s key your server uses.',
  },
  {
    message: 'program_id does not match the API key',
    meaning: 'In test mode, additional_data.program_id names another program than the key. Leave it out.',
  },
  {
    message: 'Invalid signature',
    meaning:
      'An endpoint for Stripe took no event, for one of four causes, which a stranger is not told. The program has no signing secret: an owner stores it in the program’s settings. The secret is another endpoint’s: compare it with the one that Stripe shows for this endpoint; Stripe’s command line has one of its own. The event was signed more than five minutes ago, or ahead: compare the clocks, and let Stripe send it again instead of replaying it. The header Stripe-Signature is missing, or the body is not the bytes that Stripe signed: something in between removed the one or rewrote the other. The settings show when a wrong signature last came.',
  },
  {
    message: 'Session expired',
    meaning: 'The login page of the command line was confirmed after more than five minutes. Run affitor login again.',
  },
];

/** Error replies that API Gateway and CloudFront send themselves, without calling the service. */
export const answersFromOutside: readonly MessageDoc[] = [
  {
    message: '{"message":"Too Many Requests"}',
    meaning:
      'Status 429: all callers together are too many. Try again after a few seconds, each time after a longer one.',
  },
  {
    message: '{"message":"Service Unavailable"}',
    meaning: 'Status 503, and 500 with Internal Server Error: the function could not run. Try again with backoff.',
  },
  {
    message: '{"message":"Request Too Long"}',
    meaning: 'Status 413: the body is above ten megabytes. No call of the service needs one so large.',
  },
  {
    message: '<!DOCTYPE HTML …> The request could not be satisfied.',
    meaning:
      'From the edge. Status 403: a firewall rule of the installation stopped the request, so ask its operator. Status 502, 503 or 504: try again with backoff. Another status: the request is malformed.',
  },
  {
    message: 'This address takes no requests. Send them to … instead.',
    meaning:
      'Status 403, in the usual envelope: the request went to the address behind the edge. Use the base URL of the installation.',
  },
];
