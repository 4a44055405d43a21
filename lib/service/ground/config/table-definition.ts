/**
 * The one table's shape, read by the stack, by the local run and by the tests.
 * `gsi1` lists what belongs to a program or workspace, `gsi2` what belongs to one partner. Both project keys only: an item
 * that changes is not written to an index again, and readers fetch the items themselves. The keys of an unsettled
 * commission alone repeat what is owed for it.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  indexes: [
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projection: 'KEYS_ONLY' },
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk', projection: 'KEYS_ONLY' },
  ],
  timeToLiveAttribute: 'expires_at',
  streamView: 'NEW_AND_OLD_IMAGES',
} as const;

export type IndexName = (typeof tableDefinition.indexes)[number]['name'];

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

/** Items whose changes are facts, or bring some later. */
export const factRecords: RecordFilter = {
  whole: ['CUSTOMER', 'LEAD', 'SALE', 'COMMISSION', 'PROGRAM'],
  prefixes: ['CLICK#', 'REFUND#', 'TEST_EVENT#', 'PAYOUT#', 'PARTNER#', 'LINK#', 'CODE#'],
};

/** Mails and mailings of which something is left to be done. */
export const mailRecords: RecordFilter = { whole: ['MAIL', 'MAILING'], prefixes: [], status: 'waiting' };
