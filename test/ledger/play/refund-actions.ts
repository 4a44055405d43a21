import { type Action, type CommandOf, picked, readError, track, wrong } from '#test/ledger/play/calls.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import { refundByApi, type RefundCall, type Returned } from '#test/ledger/returning.ts';
import { type Sale, type State } from '#test/ledger/state.ts';

// Refunds that the brand sends to the API.

export function refundAction(
  program: Program,
  state: State,
  command: CommandOf<'refund'>,
  _: string,
  at: Date,
): Action | undefined {
  const now = at.getTime();
  const sale = picked(state.sales, command.sale);
  if (!sale) return undefined;
  const { percent, reason } = command;
  // Half of the sales get refunds with ids, the others refunds without ids. No sale gets both: it is not specified what
  // a correction of the total then does to the refunds with ids.
  const hasIds = state.sales.indexOf(sale) % 2 === 0;
  const id = command.id === null || !hasIds ? undefined : `refund ${command.id}`;
  const isCorrection = command.isCorrection && hasIds === (id !== undefined);
  const least = isCorrection ? 0 : 1;
  const part = percent ?? (id !== undefined || isCorrection ? 100 : null);
  const cents = part === null ? undefined : Math.max(least, Math.floor((sale.amount * part) / 100));
  const call: RefundCall = {
    reason,
    ...(cents !== undefined && { cents }),
    ...(id && { id }),
    ...(isCorrection && { isCorrection }),
  };
  const body = {
    transaction_id: refundId(sale, command.sale),
    reason,
    refund_amount_cents: cents,
    refund_id: id,
    ...(isCorrection && { correction: true }),
  };
  return {
    call: async () => {
      const reply = await track(program).post('/refund', body, { at });
      return reply.status === 200 ? refundAnswer(reply.body) : readError(reply);
    },
    act: (of) => {
      const own = of.sales.find((each) => each.id === sale.id)!;
      const known = id === undefined ? undefined : own.refunds.byId[id];
      const returned = refundByApi(of, own, call, now);
      if (returned) return expectedRefund(returned, reason);
      return wrong(400, `refund_id ${id} is recorded with ${known}. Send correction: true to change it.`);
    },
  };
}

const refundId = ({ id, ids }: Sale, number: number): string =>
  picked([id, ...ids.filter((each) => each.startsWith('pi_'))], number)!;

const refundAnswer = (body: Row) => ({
  status: body.status,
  reason: body.reason,
  total: body.refunded_amount_cents,
  deducted: body.deduction_cents,
});

function expectedRefund({ status, reason, total, deducted }: Returned, told: string): unknown {
  if (status === 'no_commission') return refundAnswer({ status });
  if (status === 'skipped') return refundAnswer({ status, reason });
  const chargeback = told === 'chargeback' && status !== 'corrected' ? { reason: told } : {};
  return refundAnswer({ status, ...chargeback, refunded_amount_cents: total, deduction_cents: deducted });
}
