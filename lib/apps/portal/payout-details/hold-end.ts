const HOLD_MS = 24 * 60 * 60_000;

/** Until when a change of payout details keeps its person out of payouts. @param changedAt ISO 8601, as the result */
export const holdEnd = (changedAt: string): string => new Date(Date.parse(changedAt) + HOLD_MS).toISOString();
