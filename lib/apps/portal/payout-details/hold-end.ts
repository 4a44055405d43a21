const HOLD_MS = 24 * 60 * 60_000;

/** How long a change of payout details holds payouts to the person. @param changedAt ISO 8601, like the result */
export const holdEnd = (changedAt: string): string => new Date(Date.parse(changedAt) + HOLD_MS).toISOString();
