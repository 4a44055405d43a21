import { keys } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';
import type { LineParties } from '#lib/service/earnings/lines/line-parties.ts';
import type { PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';

type LineName = Pick<PayoutLine, 'payoutId' | 'partnerId' | 'currency'>;

const partiesKey = ({ payoutId, partnerId, currency }: LineName) =>
  keys.payoutLineParties(payoutId, partnerId, currency);

/** Finds the parties on the statement of a line. They are a separate item, so that lists of lines stay small. */
export const findParties = (table: Table, line: LineName): Promise<LineParties | undefined> =>
  table.get<LineParties>(partiesKey(line));

/**
 * The write of the parties on a line's statement. It belongs to the transaction that changes the line, and that
 * transaction's condition decides races.
 */
export const partiesWrite = (line: LineName, parties: LineParties): Write => ({
  name: `parties ${line.partnerId} ${line.currency}`,
  key: partiesKey(line),
  put: parties,
});
