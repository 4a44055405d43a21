import { type Commission, kindOf } from '#lib/service/earnings/commissions/commission.ts';
import { paidInPayoutCents } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import type { PaidTo, PayoutLine } from '#lib/service/earnings/lines/payout-line.ts';
import type { Party } from '#lib/service/ground/parties/party.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

/** A document for payer and payee about the payment of a payout line: a credit note, or a self-billed invoice. */
export interface Statement {
  readonly line: PayoutLine;
  readonly program: Pick<Program, 'id' | 'name'>;
  readonly payer: Party;
  readonly payee: Party;
  readonly paidTo?: Pick<PaidTo, 'method' | 'masked'>;
  readonly note?: string;
  readonly itemsTotal: number;
  /** The first items of the line. */
  readonly items: readonly StatementItem[];
}

/** A commission as a statement shows it, without any data of the customer. */
export interface StatementItem {
  readonly commissionId: number;
  readonly kind: ReturnType<typeof kindOf>;
  readonly occurredAt: string;
  readonly text: string;
  readonly amountCents: number;
}

export function statementItem(commission: Commission, payoutId: number): StatementItem {
  const amountCents = paidInPayoutCents(commission, payoutId);
  return {
    commissionId: commission.id,
    kind: kindOf(commission),
    occurredAt: commission.occurredAt,
    text: textOf(commission, amountCents),
    amountCents,
  };
}

function textOf(commission: Commission, amountCents: number): string {
  if (commission.kind === 'manual') return commission.reason;
  if (amountCents < 0) return 'Deduction for a refund';
  return commission.kind === 'lead' ? 'Commission for a signup' : 'Commission for a sale';
}
