import * as z from 'zod/mini';
import { isPlainText, LONGEST_IDENTIFIER } from '#lib/service/ground/values/identifier.ts';
import { MOST_CENTS } from '#lib/service/ground/values/money.ts';
import { providers } from '#lib/service/ground/values/provider.ts';
import { integer, outOfBounds } from '#lib/wire/programs/bounds-request.ts';

const LONGEST_PAYMENT_ID = 255;

/** Messages about wrong fields. The first wrong field decides which one is sent. */
export const saleTexts = {
  transactionId: 'transaction_id is required and must be a string',
  amount: 'amount_cents is required and must be a positive integer',
  tax: 'tax_cents must be an integer from 0 to amount_cents',
  occurredAt: 'occurred_at must be an ISO 8601 time within the last 30 days',
  provider: `provider must be one of: ${providers.join(', ')}`,
  providerPaymentId: `provider_payment_id must be a string of 1 to ${LONGEST_PAYMENT_ID} characters`,
  livemode: 'livemode must be a boolean',
};

const transactionId = z.string(saleTexts.transactionId).check(
  z.refine(
    (text) => text.trim() !== '' && isPlainText(text),
    outOfBounds(saleTexts.transactionId, { maxLength: LONGEST_IDENTIFIER }),
  ),
  z.trim(),
);

/** The fields in the order in which wrong ones are reported. */
const checkedFields = {
  amount_cents: integer({ exclusiveMinimum: 0, maximum: MOST_CENTS }, saleTexts.amount),
  /**
   * The tax has already been compared with the amount. A tax that exceeds the amount was replaced by NaN, which is refused
   * here.
   */
  tax_cents: z.optional(integer({ minimum: 0, maximum: MOST_CENTS }, saleTexts.tax)),
  /**
   * The time has already been parsed. A text that is no valid time was replaced by an invalid date, which is refused here.
   */
  occurred_at: z.optional(z.date(saleTexts.occurredAt)),
  provider: z.optional(z.enum(providers, saleTexts.provider)),
  provider_payment_id: z.optional(
    z
      .string(saleTexts.providerPaymentId)
      .check(
        z.refine(
          ({ length }) => length >= 1 && length <= LONGEST_PAYMENT_ID,
          outOfBounds(saleTexts.providerPaymentId, { minLength: 1, maxLength: LONGEST_PAYMENT_ID }),
        ),
      ),
  ),
  livemode: z.optional(z.boolean(saleTexts.livemode)),
};

export const SaleFields = z.object({ transaction_id: transactionId, ...checkedFields });
export const TestSaleFields = z.object({ transaction_id: z.optional(transactionId), ...checkedFields });
