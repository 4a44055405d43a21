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

/** How long AWS collects stream records for the function that updates the counters before it calls the function. */
export const BATCH_WINDOW_SECONDS = 5;

/** Selects the stream records that a consumer receives: by sort key and, if given, by status. */
export interface RecordFilter {
  readonly whole: readonly string[];
  readonly prefixes: readonly string[];
  readonly status?: string;
  /** Selects records of items that were written, not of items that were removed. */
  readonly isWritten?: true;
}

/**
 * Records of clicks that were written. Clicks are only removed when they expire, which changes no count and causes no
 * webhook.
 */
export const clickRecords: RecordFilter = { whole: ['CUSTOMER'], prefixes: ['CLICK#'], isWritten: true };

/** Records of other counted items, of probes (see probes-items.ts) and of heartbeats (see send-heartbeat.ts). */
export const countedRecords: RecordFilter = {
  whole: ['LEAD', 'SALE', 'COMMISSION', 'PROBE', 'HEARTBEAT'],
  prefixes: ['REFUND#'],
};

/** Records of heartbeats, and of all other items whose changes cause facts, which webhooks and `GET /facts` report. */
export const factRecords: RecordFilter = {
  whole: ['LEAD', 'SALE', 'COMMISSION', 'PROGRAM', 'HEARTBEAT'],
  prefixes: ['REFUND#', 'TEST_EVENT#', 'PAYOUT#', 'LINE#', 'PARTNER#', 'LINK#', 'CODE#'],
};

/** Records of mails, and of mailings that are not finished. */
export const mailRecords: RecordFilter = { whole: ['MAIL', 'MAILING'], prefixes: [], status: 'waiting' };
