import * as z from 'zod/mini';
import { bankFormats, noFileReasons } from '#lib/service/earnings/files/bank-file.ts';
import { about, cents, count, currency, id, named, text } from '#lib/wire/words/fields.ts';

export const PayoutFiles = named(
  'PayoutFiles',
  z.strictObject({
    files: z.array(
      z.strictObject({
        format: z.enum(bankFormats),
        currency,
        lines: count,
        amount_cents: cents,
        parts: about(
          'Into how many files it is divided. A line stays in its part, so parts may differ in size.',
          count,
        ),
        first_partner_ids: z.optional(
          about(
            'With several parts: the partner with whose line each part begins, in order of ids. A file of Wise does not name its lines.',
            z.array(id),
          ),
        ),
      }),
    ),
    without_file: about(
      'The first 100 lines that are in no file. `no_format`: no file is made for such details. `unsafe`: the address starts like a formula. `name`: nothing of it can be read. `too_large`: above 999,999,999.99.',
      z.array(z.strictObject({ id: text, reason: z.enum(noFileReasons) })),
    ),
  }),
);
export type PayoutFiles = z.output<typeof PayoutFiles>;
