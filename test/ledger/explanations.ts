import { cell } from '#test/ledger/reports.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import { storedFacts } from '#test/support/outbox/facts.ts';
import type { World } from '#test/support/programs/world.ts';

// How the service explains single sales, and what its webhooks contain.

/** The service's explanations of some sales: the commission, the refunds, and the sums of the history. */
export async function explanationsOf(program: Program, ids: readonly string[], at: Date) {
  const owner = await program.owner(at);
  const each = ids.map(async (id) => {
    const { body } = await owner.get(`${program.path}/sales/${encodeURIComponent(id)}`, { at, isLeftAlone: true });
    const { sale, commission: own, refunds, history } = body.data;
    const taken = (history as Row[])
      .filter(({ action }) => ['deducted', 'reversed', 'restored', 'corrected'].includes(String(action)))
      .reduce((total, row) => total + Number(row.amount_cents), 0);
    return [
      id,
      {
        amount: sale.amount_cents,
        tax: sale.tax_cents,
        base: sale.base_cents,
        isRecurring: sale.is_recurring,
        refunded: sale.refunded_amount_cents,
        commission: own && [own.status, own.amount_cents, own.deducted_cents, own.paid_out_cents].map(cell).join(' '),
        refunds: (refunds as Row[])
          .map((row) =>
            [row.reason, row.amount_cents, row.refunded_amount_cents, row.deduction_cents].map(cell).join(' '),
          )
          .toSorted(),
        taken,
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(each));
}

const moneyOf = (row: Row): unknown[] => [
  row.amount_cents,
  row.deducted_cents,
  row.payable_cents,
  row.paid_out_cents,
  row.version,
];

/** The amounts of each commission in its newest webhook event, and in the API. */
export async function webhookAndApiAmounts(world: World, program: Program, at: Date) {
  const facts = await storedFacts(world, program.own);
  const rows = await program.rowsOf(await program.owner(at), `${program.path}/commissions?limit=100`, at);
  const shown = Object.fromEntries(rows.map((row) => [String(row.id), moneyOf(row)]));
  const told: Record<string, unknown[]> = {};
  const newest = new Map<unknown, number>();
  for (const { type, data } of facts as unknown as { type: string; data: Row }[]) {
    if (!type.startsWith('commission.') || Number(data.version) <= (newest.get(data.id) ?? 0)) continue;
    newest.set(data.id, Number(data.version));
    told[String(data.id)] = moneyOf(data);
  }
  return { shown, told };
}
