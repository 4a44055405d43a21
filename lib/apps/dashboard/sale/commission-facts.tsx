import { CommissionDecision } from '#lib/apps/dashboard/commissions/commission-decision.tsx';
import { Flags } from '#lib/apps/dashboard/commissions/flags.tsx';
import { CommissionStatusBadge, payoutOf } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { dueOf, feeCents, feeText, rateText } from '#lib/apps/dashboard/sale/commission-money.ts';
import { tierSalesText, versionText } from '#lib/apps/web/terms-texts.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Commission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';

interface CommissionFactsProps {
  readonly commission: SaleCommission;
  readonly sale: ExplainedSale['sale'];
  /** The tiers, and the number of sales by which the rate was selected. */
  readonly tiers: ExplainedSale['tiers'];
  readonly onChange: () => Promise<void>;
}

/** Shows the commission for a sale: how much was paid, and how much is still due. */
export function CommissionFacts({ commission, sale, tiers, onChange }: CommissionFactsProps) {
  const { currency, platform_fee: fee } = commission;
  const { program } = useProgram();
  const due = dueOf(commission, program);
  return (
    <Facts title="Commission">
      <Fact name="Partner">
        <PartnerLink id={commission.partner_id} name={commission.partner_name} />
      </Fact>
      <Fact name="Amount">
        <Money cents={commission.amount_cents} currency={currency} />
        <div class="hint">{rateText(commission, sale)}</div>
        {commission.terms && <div class="hint">{versionText(commission.terms)}</div>}
        {tiers && <div class="hint">{tierSalesText(tiers)}</div>}
      </Fact>
      {commission.deducted_cents > 0 && (
        <Fact name="Deducted">
          <Money cents={-commission.deducted_cents} currency={currency} />
          <div class="hint">for what was refunded of the sale</div>
        </Fact>
      )}
      <Fact name="Status">
        <CommissionStatusBadge commission={commission} />
        <div class="hint">
          <Explanation commission={commission} />
        </div>
        <CommissionDecision commission={commission} onChange={() => void onChange()} />
      </Fact>
      {commission.flags.length > 0 && (
        <Fact name="Rules that fitted">
          <Flags of={commission} />
          {commission.released_at && (
            <div class="hint">
              Held for review, and released <Time at={commission.released_at} />
            </div>
          )}
        </Fact>
      )}
      {commission.paid_out_cents > 0 && (
        <Fact name="In payouts">
          <Money cents={commission.paid_out_cents} currency={currency} />
        </Fact>
      )}
      {due && (
        <Fact name={due.name}>
          <Money cents={due.cents} currency={currency} />
          <div class="hint">{due.text}</div>
        </Fact>
      )}
      {fee.bps > 0 && (
        <Fact name="Platform fee">
          <Money cents={feeCents(fee)} currency={fee.currency} />
          <div class="hint">{feeText(commission)}</div>
        </Fact>
      )}
    </Facts>
  );
}

/** Explains the commission's status with its dates, and what was paid. */
function Explanation({ commission }: { readonly commission: Commission }) {
  const { program } = useProgram();
  const { status, hold_until: holdUntil, approved_at: approvedAt, payout_id: payoutId } = commission;
  if (status === 'rejected') return <>The partner gets nothing for this sale.</>;
  if (status === 'held') {
    return (
      <>
        Held{commission.held_at && [' ', <Time key="at" at={commission.held_at} />]}. It is in no payout and in no
        figure of commissions until someone releases it.
      </>
    );
  }
  if (status === 'pending' && commission.by_hand) {
    return <>Reopened. It waits until someone approves it, also after its hold.</>;
  }
  if (status === 'pending') {
    return program.auto_approve ? (
      <>
        On hold for refunds until <Time at={holdUntil} />, then approved by itself.
      </>
    ) : (
      <>Waits until someone approves it.</>
    );
  }
  if (status === 'approved') {
    return <>Approved{approvedAt && [' ', <Time key="at" at={approvedAt} />]}. A workspace owner pays it out.</>;
  }
  if (payoutId === null) return <>It is in no payout.</>;
  return (
    <>
      In <a href={programPath('payout', program.id, payoutId)}>{payoutOf(commission) ?? `payout ${payoutId}`}</a>
      {commission.paid_at && [', recorded ', <Time key="at" at={commission.paid_at} />]}
      {commission.needs_review && ', and changed by a refund since'}.
    </>
  );
}
