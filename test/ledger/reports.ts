import { labelOf } from '#test/ledger/play/calls.ts';
import { itemsOf } from '#test/ledger/play/owner-actions.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import type { State } from '#test/ledger/state.ts';

// Reads every figure that the service shows, and returns them under the ledger's names.

export const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : (value as { toString(): string }).toString();

/** Sorts rows by their contents, because some have no name by which they could be sorted. */
export const inOrder = <T>(rows: readonly T[]): T[] => rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

/** Converts a value to a text. Equal values have the same text, even if their fields are in another order. */
const textOf = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Reads amounts by currency, and leaves out zeros. */
function money(amounts: unknown, ...without: string[]): Record<string, Row> {
  const found = Object.entries(amounts as Record<string, Row>).map(([currency, row]) => {
    const cents = Object.entries(row).filter(
      ([name, value]) => !without.includes(name) && value !== 0 && value !== null,
    );
    return [currency, Object.fromEntries(cents)] as const;
  });
  return Object.fromEntries(found.filter(([, row]) => Object.keys(row).length > 0));
}

const day = ({ clicks, leads, sales, amounts }: Row) => ({ clicks, leads, sales, amounts: money(amounts) });
const isSomething = ({ clicks, leads, sales, amounts }: ReturnType<typeof day>): boolean =>
  clicks !== 0 || leads !== 0 || sales !== 0 || Object.keys(amounts).length > 0;

const performance = ({ days, totals }: { days: Row[]; totals: Row }) => ({
  days: Object.fromEntries(days.map((row) => [row.date, day(row)] as const).filter(([, row]) => isSomething(row))),
  totals: day(totals),
});

const commission = (row: Row, numbers: ReadonlyMap<unknown, number>) => ({
  kind: row.kind,
  status: row.status,
  type: row.commission_type,
  rate: row.commission_rate,
  base: row.base_amount_cents,
  amount: row.amount_cents,
  deducted: row.deducted_cents,
  payable: row.payable_cents,
  paidOut: row.paid_out_cents,
  currency: row.currency,
  isReversed: row.reversal_reason !== null,
  rejectionReason: row.rejection_reason,
  byHand: row.by_hand,
  // After a refund that deducts nothing more, the service marks the commission for review and the ledger does not. So
  // the mark counts only if more was paid than is due.
  needsReview: row.needs_review === true && Number(row.payable_cents) < Number(row.paid_out_cents),
  fee: (row.platform_fee as Row | null)?.amount_cents ?? null,
  feeReduced: (row.platform_fee as Row | null)?.reduced_cents ?? null,
  occurredAt: row.occurred_at,
  createdAt: row.created_at,
  holdUntil: row.hold_until,
  paidAt: row.paid_at,
  payout: row.payout_id === null ? null : (numbers.get(row.payout_id) ?? '?'),
});

const csvFields = [
  'status',
  'currency',
  'commission_cents',
  'deducted_cents',
  'payable_cents',
  'platform_fee_cents',
  'kind',
];

/** Reads the rows of a CSV file by splitting at commas: the values in these tests contain none. */
function csvRows(text: string): Record<string, string>[] {
  const [header, ...lines] = text.split('\r\n').filter((line) => line !== '');
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n]!, value])));
}

/** Reads all reports of a program. @param at the time of the requests */
export async function programReports(program: Program, state: State, at: Date) {
  const { path, rowsOf } = program;
  program.forgetSessions();
  const owner = await program.owner(at);
  const read = async (url: string) => {
    const { status, body } = await owner.get(`${path}/${url}`, { at, isLeftAlone: true });
    if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const to = at.toISOString().slice(0, 10);
  const from = new Date(Math.max(program.startedAt.getTime() - 86_400_000 * 25, at.getTime() - 365 * 86_400_000));
  const range = `from=${from.toISOString().slice(0, 10)}&to=${to}`;

  const rows = await rowsOf(owner, `${path}/commissions?limit=100`, at);
  const payouts = await rowsOf(owner, `${path}/payouts?limit=100`, at);
  const numbers = new Map(payouts.toReversed().map(({ id }, n) => [id, n]));
  const labels = new Map(rows.map((row) => [row.id, labelOf(state, row)]));
  const preview = (await owner.post(`${path}/payouts/preview`, {}, { at })).body.data;
  const csv = csvRows((await owner.get(`${path}/commissions.csv`, { at, isLeftAlone: true })).body);
  const events = await rowsOf(owner, `${path}/events?limit=100`, at);
  const sold = events.filter(({ type }) => type === 'sale');
  const customers = await rowsOf(owner, `${path}/customers?limit=100`, at);
  const partnerRows = await rowsOf(owner, `${path}/partners?limit=100`, at);
  const unsold = await rowsOf(owner, `${path}/processor/payments?limit=100`, at);
  const whole = performance(await read(`performance?${range}`));

  const partners = await Promise.all(
    program.partners.map(async ({ id }, n) => {
      const user = await program.partner(n, at);
      const own = async (url: string) => (await user.get(`${path}/${url}`, { at, isLeftAlone: true })).body.data;
      const row = partnerRows.find((each) => each.id === id)!;
      const paid = await rowsOf(user, `${path}/payouts?limit=100`, at);
      const { days, totals } = performance(await own(`performance?${range}`));
      return {
        counted: { clicks: row.clicks, leads: row.leads, sales: row.sales, amounts: money(row.amounts) },
        performance: performance(await read(`partners/${id}/performance?${range}`)),
        owed: money(await read(`owed?partner_id=${id}`), 'by_date', 'held_cents'),
        portal: {
          balance: money(await own('balance'), 'next'),
          performance: { days, totals },
          commissions: Object.fromEntries(
            (await rowsOf(user, `${path}/commissions?limit=100`, at)).map((each) => [
              labels.get(each.id) ?? '?',
              [each.status, each.amount_cents, each.deducted_cents, each.payable_cents, each.currency]
                .map(cell)
                .join(' '),
            ]),
          ),
          payouts: paid
            .map((each) => `${numbers.get(each.id)} ${cell(each.currency)} ${cell(each.amount_cents)}`)
            .toSorted(),
        },
      };
    }),
  );

  return {
    commissions: Object.fromEntries(rows.map((row) => [labels.get(row.id)!, commission(row, numbers)])),
    csv: Object.fromEntries(
      csv.map((line) => [labels.get(Number(line.commission_id)) ?? '?', csvFields.map((name) => line[name]).join(' ')]),
    ),
    sales: Object.fromEntries(
      sold.map((row) => [
        row.transaction_id,
        {
          amount: row.amount_cents,
          currency: row.currency,
          isRecurring: row.is_recurring,
          refunded: row.refunded_amount_cents,
          isPaid: row.commission_id !== null,
          partner: program.partners.findIndex(({ id }) => id === row.partner_id),
        },
      ]),
    ),
    refunds: Object.fromEntries(
      sold.map(({ transaction_id: id }) => [
        id,
        events
          .filter((row) => row.type === 'refund' && row.transaction_id === id)
          .map((row) =>
            [row.reason, row.amount_cents, row.refunded_amount_cents, row.deduction_cents].map(cell).join(' '),
          )
          .toSorted(),
      ]),
    ),
    customers: inOrder(
      customers.map((row) => [
        state.customers.find(({ clickId }) => clickId === row.click_id)?.label ?? row.customer_key ?? 'without key',
        money(row.amounts),
      ]),
    ),
    owed: money(await read('owed'), 'by_date', 'held_cents'),
    preview: itemsOf(program, preview),
    payouts: await Promise.all(
      payouts.toReversed().map(async ({ id }) => {
        const payout = await read(`payouts/${cell(id)}`);
        const held = (payout.items as { commission_ids: unknown[] }[]).flatMap((item) =>
          item.commission_ids.map((one) => labels.get(one) ?? '?'),
        );
        return { items: itemsOf(program, payout), of: held.toSorted() };
      }),
    ),
    performance: whole,
    listed: unsold
      .filter(({ reason }) => reason === 'live_payment')
      .map((row) => [row.transaction_id, row.amount_cents, row.currency].map(cell).join(' '))
      .toSorted(),
    partners,
  };
}
