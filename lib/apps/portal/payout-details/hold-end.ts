const HOLD_MS = 24 * 60 * 60_000;

/** Returns when the hold ends that follows a change of payout details. @param changedAt ISO 8601, like the result */
export const holdEnd = (changedAt: string): string => new Date(Date.parse(changedAt) + HOLD_MS).toISOString();
