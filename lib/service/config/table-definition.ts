/**
 * The one table's shape, read by the stack, by the local run and by the tests.
 * `gsi1` projects keys only: an item that changes is not written to the index again, and readers fetch the items
 * themselves. The key of an unsettled commission alone repeats what is owed for it.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projection: 'KEYS_ONLY' },
  timeToLiveAttribute: 'expires_at',
  streamView: 'NEW_AND_OLD_IMAGES',
} as const;

/** How long the counters' consumer gathers records of the stream before it counts them, on AWS. */
export const BATCH_WINDOW_SECONDS = 5;

/** Which records of the stream a consumer gets: those of items with such a sort key, and with the status if one is named. */
export interface RecordFilter {
  readonly whole: readonly string[];
  readonly prefixes: readonly string[];
  readonly status?: string;
}

/** Counted items and probes. */
export const countedRecords: RecordFilter = {
  whole: ['CUSTOMER', 'LEAD', 'SALE', 'COMMISSION', 'PROBE'],
  prefixes: ['CLICK#', 'REFUND#'],
};

/** Mails and mailings of which something is left to be done. */
export const mailRecords: RecordFilter = { whole: ['MAIL', 'MAILING'], prefixes: [], status: 'waiting' };
