/**
 * The one table's shape, read by the stack, by the local run and by the tests.
 * `gsi1` projects keys only: an item that changes is not written to the index again, and readers fetch the items themselves.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projection: 'KEYS_ONLY' },
  timeToLiveAttribute: 'expires_at',
  streamView: 'NEW_AND_OLD_IMAGES',
} as const;

/** Sort keys of the items that are counted. Whoever reads the stream for the counters leaves out all others. */
export const countedSortKeys = {
  whole: ['CUSTOMER', 'LEAD', 'SALE', 'COMMISSION'],
  prefixes: ['CLICK#', 'REFUND#'],
} as const;
