/** The fields of a made payout's reply that say how many lines it has, while all of them are recorded. */
export function recordedLines(lines: number, totals: Readonly<Record<string, number>>) {
  const none = { lines: 0, totals: {} };
  const byStatus = { recorded: { lines, totals }, sent: none, paid: none, failed: none, void: none };
  return { lines, by_status: byStatus, progress: null };
}
