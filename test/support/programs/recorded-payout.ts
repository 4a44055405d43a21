/** The fields of a complete payout's reply that say how many lines have which status, if no line has been sent yet. */
export function recordedLines(lines: number, totals: Readonly<Record<string, number>>) {
  const none = { lines: 0, totals: {} };
  const byStatus = { recorded: { lines, totals }, sent: none, paid: none, failed: none, void: none };
  return { lines, by_status: byStatus, progress: null };
}
