import * as z from 'zod/mini';
import { about, clickId, id, named, text, time } from '#lib/wire/words/fields.ts';

export const CustomerExport = named(
  'CustomerExport',
  z.strictObject({
    exported_at: time,
    program_id: id,
    click_id: clickId,
    records: z.array(
      z.looseObject({
        record: about(
          '`customer`, `click`, `lead`, `payer`, `subscription`, `sale`, `refund`, `commission`, `payment` and others.',
          text,
        ),
      }),
    ),
  }),
  'Everything that is stored about a customer, record by record. A `payment` is one without attribution. An e-mail address is not stored; `hash` stands for it. Webhook events, which repeat the records for some days, are left out.',
);
export type CustomerExport = z.output<typeof CustomerExport>;

export const RequestedErasure = named(
  'RequestedErasure',
  z.strictObject({
    click_id: clickId,
    status: about(
      '`erasing`: the customer is not found any more, and the records are being erased.',
      z.enum(['erasing', 'erased']),
    ),
    sales: about('The number of sales, which stay without personal data.', z.int().check(z.nonnegative())),
  }),
);
export type RequestedErasure = z.output<typeof RequestedErasure>;
