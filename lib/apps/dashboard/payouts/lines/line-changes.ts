import { lineStatusNames } from '#lib/apps/web/line-status-names.ts';
import type { ChangedLine, PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import type { LineStatus } from '#lib/wire/earnings/line-status.ts';

export const lineStatuses = Object.keys(lineStatusNames) as readonly LineStatus[];

interface Change {
  /** The change as a command about some lines, such as `Mark all as sent`. */
  readonly command: (lines: string) => string;
  readonly outcome: string;
  /** The statuses for which pages offer the change. A paid line cannot become sent directly, but first recorded. */
  readonly from: readonly LineStatus[];
  readonly effect: string;
}

/** The changes of lines, by the status that the change gives. */
export const lineChanges: Readonly<Record<LineStatus, Change>> = {
  sent: {
    command: (lines) => `Mark ${lines} as sent`,
    outcome: 'marked as sent',
    from: ['recorded'],
    effect: 'The partners read that their money is on the way. The service sends nothing itself.',
  },
  paid: {
    command: (lines) => `Mark ${lines} as paid`,
    outcome: 'marked as paid',
    from: ['recorded', 'sent'],
    effect: 'The partners read that their money has arrived.',
  },
  recorded: {
    command: (lines) => `Mark ${lines} as not sent`,
    outcome: 'marked as not sent',
    from: ['sent', 'paid'],
    effect: 'This takes back the mark. No commission changes.',
  },
  failed: {
    command: (lines) => `Mark ${lines} as failed`,
    outcome: 'marked as failed',
    from: ['sent', 'paid'],
    effect:
      'Choose this if the transfer failed or the money came back. The commissions are due again, with the next payout. This cannot be undone.',
  },
  void: {
    command: (lines) => `Void ${lines}`,
    outcome: 'voided',
    from: ['recorded'],
    effect:
      'Choose this if nothing was sent. The commissions are due again, with the next payout. This cannot be undone.',
  },
};

/** Whether the status is final, so that the line's commissions are due again. */
export const isEnd = (status: LineStatus): boolean => status === 'failed' || status === 'void';

export const isLineChanged = (to: LineStatus, { status }: ChangedLine): boolean => status === to;

/** Whether a second attempt to change the line may succeed. */
export const mayLineChange = (to: LineStatus, { status }: ChangedLine): boolean =>
  status === null || lineChanges[to].from.includes(status);

/** Returns the sum of the lines in each currency. */
export function lineTotals(lines: readonly Pick<PayoutLine, 'currency' | 'amount_cents'>[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { currency, amount_cents: cents } of lines) totals[currency] = (totals[currency] ?? 0) + cents;
  return totals;
}
