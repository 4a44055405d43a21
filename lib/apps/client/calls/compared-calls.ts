import { fieldNames } from '#lib/service/ground/values/close-names.ts';
import { clickNames } from '#lib/apps/client/calls/click.ts';
import { type ComparedNames, comparedNames } from '#lib/apps/client/errors/field-names.ts';
import { leadNames } from '#lib/apps/client/calls/lead.ts';
import { refundNames } from '#lib/apps/client/calls/refund.ts';
import { saleNames } from '#lib/apps/client/calls/sale.ts';

// For each call, the field names with which unknown names are compared. An unknown name that resembles one of them is
// probably a misspelling; if it were ignored, wrong data would be recorded.

const all = [clickNames, leadNames, saleNames, refundNames];

export const comparedLead: ComparedNames = {
  ...comparedNames('trackLead', leadNames, {}, all),
  additional: fieldNames(['test_mode', 'program_id', 'event_name']),
};

export const comparedSale = comparedNames(
  'trackSale',
  saleNames,
  { coupon: 'couponCode', recurring: 'isRecurring' },
  all,
);

export const comparedRefund = comparedNames(
  'trackRefund',
  refundNames,
  Object.fromEntries(
    ['amount', 'amount_cents', 'refund_amount', 'amount_refunded'].map((name) => [name, 'refundAmountCents']),
  ),
  all,
);
