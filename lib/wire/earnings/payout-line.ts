import * as z from 'zod/mini';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { LineStatus } from '#lib/wire/earnings/line-status.ts';
import { LeadCommission, ManualCommission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import {
  about,
  balanceCents,
  cents,
  count,
  currency,
  flag,
  id,
  named,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/words/fields.ts';

export const PayoutLine = named(
  'PayoutLine',
  z.strictObject({
    id: about('Partner and currency, such as `5-USD`.', text),
    number: about('Payout and line, such as `9-5-USD`: what a payment names.', text),
    payout_id: id,
    partner_id: id,
    partner_name: optionalText,
    partner_email: optionalText,
    currency,
    amount_cents: cents,
    commissions: count,
    status: LineStatus,
    method: about(
      'Where the money goes: as of now while `recorded`, as it was then from `sent` on. Null without payout details.',
      z.nullable(z.enum(payoutMethods)),
    ),
    masked: optionalText,
    reference: about('What the owner calls the payment.', optionalText),
    reason: about('Why it failed or is void; the partner reads it.', optionalText),
    returning: about('It failed or is void, and still gives back what it held of its commissions.', flag),
    recorded_at: time,
    sent_at: optionalTime,
    paid_at: optionalTime,
    ended_at: about('When it failed or became void.', optionalTime),
  }),
  'What a payout pays to one partner in one currency.',
);
export type PayoutLine = z.output<typeof PayoutLine>;

export const ChangedLine = named(
  'ChangedPayoutLine',
  z.strictObject({
    id: about('As it was sent.', text),
    status: about('As it is now; null when it is not found, or after a failure.', z.nullable(LineStatus)),
    error: about('Null, or why it was not changed.', optionalText),
  }),
  'One of several lines that were to be changed.',
);
export type ChangedLine = z.output<typeof ChangedLine>;

const inLine = {
  in_line_cents: about('What the line holds of it, or held. Negative where it takes back.', balanceCents),
};

export const CommissionInLine = named(
  'CommissionInLine',
  z.discriminatedUnion('kind', [
    z.extend(SaleCommission, inLine),
    z.extend(LeadCommission, inLine),
    z.extend(ManualCommission, inLine),
  ]),
);
export type CommissionInLine = z.output<typeof CommissionInLine>;
