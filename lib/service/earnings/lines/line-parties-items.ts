import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import type { LineParties } from '#lib/service/earnings/lines/line-parties.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';

type LineName = Pick<PayoutLine, 'payoutId' | 'partnerId' | 'currency'>;

const partiesKey = ({ payoutId, partnerId, currency }: LineName) =>
  keys.payoutLineParties(payoutId, partnerId, currency);

/** Separate from the line, so that lists of lines stay small. */
export const findParties = (table: Table, line: LineName): Promise<LineParties | undefined> =>
  table.get<LineParties>(partiesKey(line));

/** Belongs to the transaction that changes the line, whose condition decides races. */
export const partiesWrite = (line: LineName, parties: LineParties): Write => ({
  name: `parties ${line.partnerId} ${line.currency}`,
  key: partiesKey(line),
  put: parties,
});
