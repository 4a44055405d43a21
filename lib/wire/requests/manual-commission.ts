import * as z from 'zod/mini';
import type { Currencies } from '#lib/domain/currency.ts';
import { MOST_CENTS } from '#lib/domain/money.ts';
import { integer } from '#lib/wire/requests/bounds.ts';
import { currencyField } from '#lib/wire/requests/program.ts';
import { Reason } from '#lib/wire/requests/reason.ts';

export const GRANTED_AMOUNT_INVALID = 'amount_cents must be a positive integer';

export const grantedAmount = integer({ exclusiveMinimum: 0, maximum: MOST_CENTS }, GRANTED_AMOUNT_INVALID);

/** In the order in which the first wrong field is reported. @param currencies of the installation */
export const manualCommission = (currencies: Currencies) =>
  z.object({ amount_cents: grantedAmount, currency: currencyField(currencies), ...Reason.shape });
