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

/** Sort keys of counted items and of probes. The counters' consumer filters out all other records. */
export const countedSortKeys = {
  whole: ['CUSTOMER', 'LEAD', 'SALE', 'COMMISSION', 'PROBE'],
  prefixes: ['CLICK#', 'REFUND#'],
} as const;
