import { moneyText } from '#lib/apps/web/format.ts';
import type { RetriedPayment, UnattributedPayment } from '#lib/wire/conversions/processor.ts';

interface UnattributedText {
  readonly why: string;
  readonly whatToDo: string;
}

/** Explains why a payment did not become a sale, and what the owner can do. */
export const unattributedTexts: Readonly<Record<UnattributedPayment['reason'], UnattributedText>> = {
  unsupported_currency: {
    why: 'The service does not record sales in this currency.',
    whatToDo:
      'Charge in one of the currencies in the program’s settings. Or ask the operator to add this currency, then try again.',
  },
  attribution_window_expired: {
    why: 'The first click is older than the attribution window.',
    whatToDo: 'Nothing, if the window is right. Otherwise set a longer one in the settings, then try again.',
  },
  click_after_payment: {
    why: 'The first click came after the payment, so it cannot have caused it.',
    whatToDo: 'Nothing, if the time of the payment is right. If not, correct it where your server or Stripe sets it.',
  },
  no_partner_relation: {
    why: 'The customer has no partner any more: either the partner was removed, or the operator unlinked the customer.',
    whatToDo: 'Nothing, if that is right. Otherwise take the partner back, then try again.',
  },
  unknown_click: {
    why: 'Its click id does not exist in this program, or belongs to an unlinked customer.',
    whatToDo: 'Check that your checkout sends the click id of this program’s tracker, unchanged.',
  },
  bot_click: {
    why: 'Its click was made by a bot, a link preview or an ignored address, so it has no customer.',
    whatToDo:
      'Nothing, if it was a test with a headless browser. If customers use an ignored address, remove that address in the settings.',
  },
  other_program: {
    why: 'Its metadata contain another program’s id, but the customer belongs to this program.',
    whatToDo:
      'If it is a payment of this program, try again, and correct or remove the program_id that your checkout sets.',
  },
  misspelt_metadata: {
    why: 'No customer was found: a name in its metadata is close to a known one, and its value belongs to a customer.',
    whatToDo:
      'Correct the name that your checkout sets, so that later payments count. If you try again, this payment is read as meant.',
  },
  id_used_elsewhere: {
    why: 'Another program’s sale, or a test sale, already has this transaction id.',
    whatToDo:
      'Send each payment to one program only, make its transaction id unique, for example by a prefix, and use other ids for tests. If you try again, it is recorded with this program’s number and an underscore before its id.',
  },
  waiting_for_payment_intent: {
    why: 'It is an invoice without a subscription, and Stripe has not reported which payment paid it.',
    whatToDo: 'Add the event invoice_payment.paid to your endpoint in Stripe, so that later invoices count.',
  },
  waiting_for_code: {
    why: 'It was paid with a promotion code that belongs to no partner yet, or whose text Stripe has not reported.',
    whatToDo:
      'Nothing, if the code belongs to no partner. Otherwise add it to the partner, with its id at Stripe: payments of the last 30 days are then recorded.',
  },
  live_payment: {
    why: 'It is a live payment, and this program is a sandbox.',
    whatToDo: 'Send live payments and their events to a program that is not a sandbox.',
  },
};

/** Says what happened when the payment was tried again. */
export const retriedText = ({ reason }: RetriedPayment): string =>
  reason === null ? 'It is recorded as a sale.' : `Still not recorded. ${unattributedTexts[reason].why}`;

type Amount = Pick<UnattributedPayment, 'amount_cents' | 'currency'>;

/**
 * Formats the amount of a payment. The currency may have been sent in lower case. If it is not the code of a currency,
 * it is shown as it was sent.
 */
export function unattributedAmountText({ amount_cents: amount, currency }: Amount): string {
  if (!/^[a-z]{3}$/i.test(currency)) return `${amount} ${currency}`.trim();
  return moneyText(amount, currency.toUpperCase());
}
