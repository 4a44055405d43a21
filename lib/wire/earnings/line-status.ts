import * as z from 'zod/mini';
import { lineStatuses } from '#lib/service/earnings/lines/payout-line.ts';
import { named } from '#lib/wire/words/fields.ts';

export const LineStatus = named(
  'PayoutLineStatus',
  z.enum(lineStatuses),
  'A line stands while it is `recorded`, `sent` or `paid`: what it holds counts as paid out. `failed` and `void` are final.',
);
export type LineStatus = z.output<typeof LineStatus>;
