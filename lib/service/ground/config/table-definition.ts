/**
 * The shape of the single table, used by the stack, the local run and the tests.
 * `gsi1` lists what belongs to a program or workspace, `gsi2` what belongs to one partner. Both project keys only, so a
 * change of an item's attributes does not update the index, and readers fetch the items themselves. Only the index keys
 * of an unsettled commission also contain the amount owed.
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

/** How long the counters' stream consumer collects records on AWS before it processes them. */
export const BATCH_WINDOW_SECONDS = 5;

/** Selects the stream records that a consumer receives: by sort key and, if given, by status. */
export interface RecordFilter {
  readonly whole: readonly string[];
  readonly prefixes: readonly string[];
  readonly status?: string;
  /** Only items that were written, not those that were removed. */
  readonly isWritten?: true;
}

/** Clicks. They are only removed when they expire, which changes no count and makes no fact. */
export const clickRecords: RecordFilter = { whole: ['CUSTOMER'], prefixes: ['CLICK#'], isWritten: true };

/** Other counted items, probes (see probes-items.ts) and heartbeats (see send-heartbeat.ts). */
export const countedRecords: RecordFilter = {
  whole: ['LEAD', 'SALE', 'COMMISSION', 'PROBE', 'HEARTBEAT'],
  prefixes: ['REFUND#'],
};

/** Other items whose changes produce facts, now or later, and heartbeats. */
export const factRecords: RecordFilter = {
  whole: ['LEAD', 'SALE', 'COMMISSION', 'PROGRAM', 'HEARTBEAT'],
  prefixes: ['REFUND#', 'TEST_EVENT#', 'PAYOUT#', 'LINE#', 'PARTNER#', 'LINK#', 'CODE#'],
};

/** Mails and mailings that are not finished. */
export const mailRecords: RecordFilter = { whole: ['MAIL', 'MAILING'], prefixes: [], status: 'waiting' };
