import { moneyText } from '#lib/apps/web/format.ts';
import type { RetriedPayment, UnattributedPayment } from '#lib/wire/conversions/processor.ts';

interface UnattributedText {
  readonly why: string;
  readonly whatToDo: string;
}

/** Why a payment did not become a sale, and what to do about it. */
export const unattributedTexts: Readonly<Record<UnattributedPayment['reason'], UnattributedText>> = {
  unsupported_currency: {
    why: 'The service does not record sales in this currency.',
    whatToDo:
      'Charge in one of the currencies that the settings of the program offer, or ask the operator to add this one, and try again.',
  },
  attribution_window_expired: {
    why: 'The first click was too long ago: outside the attribution window.',
    whatToDo: 'Nothing, if the window is as you want it. With a longer one, in the settings, try again.',
  },
  click_after_payment: {
    why: 'The first click came after the payment, so it cannot have brought it.',
    whatToDo: 'Nothing, if the time of the payment is right. If not, correct it where your server or Stripe sets it.',
  },
  no_partner_relation: {
    why: 'The customer has no partner any more: the partner was removed, or the customer taken off the partner.',
    whatToDo: 'Nothing, if that is right. If not, take the partner back, and try again.',
  },
  unknown_click: {
    why: 'It names a click that this program does not know, or a customer who was unlinked.',
    whatToDo: 'Check that your checkout passes on the click id of this program’s tracker, unchanged.',
  },
  bot_click: {
    why: 'It names the click of a bot, a link preview or an ignored address, which matches no customer.',
    whatToDo:
      'Nothing, if it was a trial with a headless browser. If people come from an ignored address, take it off the settings.',
  },
  other_program: {
    why: 'Its metadata name another program, though the customer is one of this program.',
    whatToDo:
      'If it is a payment of this program, try again, and correct program_id where your checkout sets it, or leave it out.',
  },
  misspelt_metadata: {
    why: 'No customer was found: a name in its metadata is close to a known one, and its value belongs to a customer.',
    whatToDo:
      'Correct the name where your checkout sets it: later payments then count. Trying again reads this one as it was meant.',
  },
  id_used_elsewhere: {
    why: 'Another program already has a sale with this transaction id.',
    whatToDo:
      'Send each payment to one program only, and make its transaction id unique, for example by a prefix. Trying again records it with the number of this program and an underscore before its id, and with a number behind it where that id is taken, too.',
  },
  waiting_for_payment_intent: {
    why: 'It is an invoice without subscription, and Stripe has not reported by which payment it was paid.',
    whatToDo: 'Let your endpoint in Stripe receive invoice_payment.paid, too: later invoices then count.',
  },
  waiting_for_code: {
    why: 'It was paid with a promotion code that is no partner’s code yet, or whose text Stripe has not reported.',
    whatToDo:
      'Nothing, if the code is no partner’s. If it is, add it to the partner, with its id at Stripe: payments of the last 30 days are then recorded.',
  },
  live_payment: {
    why: 'It is a live payment, and this program is a sandbox.',
    whatToDo: 'Let live payments name a program that is no sandbox, and send that one’s events there.',
  },
};

/** The result of retrying a payment. */
export const retriedText = ({ reason }: RetriedPayment): string =>
  reason === null ? 'It is recorded as a sale.' : `Still not recorded. ${unattributedTexts[reason].why}`;

type Amount = Pick<UnattributedPayment, 'amount_cents' | 'currency'>;

/**
 * The currency is shown as sent, in upper or lower case. A text that is not in the form of a currency is shown
 * unchanged.
 */
export function unattributedAmountText({ amount_cents: amount, currency }: Amount): string {
  if (!/^[a-z]{3}$/i.test(currency)) return `${amount} ${currency}`.trim();
  return moneyText(amount, currency.toUpperCase());
}
