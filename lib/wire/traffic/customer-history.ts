import * as z from 'zod/mini';
import { Commission } from '#lib/wire/earnings/commission.ts';
import { Customer, CustomerClick, CustomerLead, TimelineStep } from '#lib/wire/traffic/customer.ts';
import { Refund, Sale } from '#lib/wire/conversions/explained-sale.ts';
import { id, named, text } from '#lib/wire/words/fields.ts';

/** The complete history of a customer. */
export const CustomerHistory = named(
  'CustomerHistory',
  z.strictObject({
    customer: Customer,
    clicks: z.array(CustomerClick),
    lead: z.nullable(CustomerLead),
    sales: z.array(Sale),
    refunds: z.array(z.extend(Refund, { sale_id: id, transaction_id: text })),
    commissions: z.array(Commission),
    timeline: z.array(TimelineStep),
  }),
  'Clicks are listed oldest first; sales, refunds and commissions newest first, the commission of the lead last. In the timeline, steps of a sale end with its transaction id.',
);
export type CustomerHistory = z.output<typeof CustomerHistory>;
