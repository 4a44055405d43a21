import * as z from 'zod/mini';
import { LineStatus } from '#lib/wire/earnings/line-status.ts';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import {
  about,
  balanceCents,
  cents,
  count,
  currency,
  day,
  id,
  named,
  optionalText,
  text,
  time,
} from '#lib/wire/words/fields.ts';

const Party = named(
  'Party',
  z.strictObject({ name: optionalText, address: optionalText, country: optionalText, tax_id: optionalText }),
);

const optionalDay = z.nullable(day);

export const Statement = named(
  'Statement',
  z.strictObject({
    number: text,
    status: LineStatus,
    reason: optionalText,
    program: z.strictObject({ id, name: text }),
    payer: Party,
    payee: Party,
    paid_to: z.nullable(z.strictObject({ method: z.enum(payoutMethods), masked: text })),
    reference: optionalText,
    currency,
    issued_on: day,
    sent_on: optionalDay,
    paid_on: optionalDay,
    ended_on: optionalDay,
    total_cents: cents,
    note: optionalText,
    items_total: count,
    items: about(
      'The first 1,000.',
      z.array(
        z.strictObject({
          commission_id: id,
          kind: z.enum(['sale', 'lead', 'manual']),
          occurred_at: time,
          text,
          amount_cents: balanceCents,
        }),
      ),
    ),
  }),
  'Payer, payee, note and `paid_to` are as of now while the line is `recorded`, and as they were from `sent` on.',
);
export type Statement = z.output<typeof Statement>;
