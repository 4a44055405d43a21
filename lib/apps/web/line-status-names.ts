import type { LineStatus } from '#lib/wire/earnings/line-status.ts';

/** The names of the statuses of a payout line, which brand and partner both read. */
export const lineStatusNames = {
  recorded: 'Recorded',
  sent: 'Sent',
  paid: 'Paid',
  failed: 'Failed',
  void: 'Void',
} as const satisfies Record<LineStatus, string>;
