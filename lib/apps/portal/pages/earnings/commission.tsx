import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Day, Minute } from '#lib/apps/web/parts/figures/time.tsx';
import { Timeline } from '#lib/apps/web/parts/figures/timeline.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { versionText } from '#lib/apps/web/terms-texts.ts';
import { CommissionBadge, kindTexts, reversals } from '#lib/apps/portal/commissions/commission-status.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import type { ExplainedCommission } from '#lib/wire/reports/portal-figures.ts';

const whyTitles: Readonly<Record<ExplainedCommission['status'], string>> = {
  in_review: 'Why it waits',
  pending: 'Why it waits',
  approved: 'Why you got it',
  paid: 'Why you got it',
  rejected: 'Why you do not get it',
  reversed: 'Why you do not get it',
};

/** Explains one commission: why the partner gets it or not, and its history. */
export function CommissionPage() {
  const { api, path, addressOf } = useProgram();
  const { commission_id: id = '' } = useRoute().params;
  const address = `${path}/commissions/${encodeURIComponent(id)}`;
  const commission = useLoaded(() => api.get<ExplainedCommission>(address), [api, address]);
  if (commission.state === 'failed' && commission.error.status === 404) {
    return (
      <Page title="There is no such commission">
        <div class="card">
          <Empty title={`Nothing of yours has the number ${id}`}>
            <a href={addressOf('commissions')}>All commissions</a>
          </Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page title={`Commission ${id}`} back={<a href={addressOf('commissions')}>All commissions</a>}>
      <WhenLoaded of={commission}>
        {(loaded) => (
          <div class="columns">
            <section class="card" aria-labelledby="why">
              <h2 id="why">{whyTitles[loaded.status]}</h2>
              <Reason of={loaded} />
              {loaded.why.window && <p class="why-text">{loaded.why.window}</p>}
              <Timeline steps={loaded.why.steps} />
            </section>
            <div class="stack">
              <Amounts of={loaded} payoutAddress={(payoutId) => addressOf('payout', payoutId)} />
              <TermsOf of={loaded} />
            </div>
          </div>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface OfProps {
  readonly of: ExplainedCommission;
}

/** Says why the partner does not get the commission, or has to wait for it. */
function Reason({ of }: OfProps) {
  const reason = reasons[of.status]?.(of);
  return reason ? <p class="why-text strong">{reason}</p> : null;
}

const reasons: Partial<Record<ExplainedCommission['status'], (of: ExplainedCommission) => ComponentChildren>> = {
  in_review: () => 'The brand looks at it first. Until the brand accepts it, it counts as “in review” only.',
  pending: ({ by_hand: isByHand, hold_until: until }) =>
    isByHand ? (
      'The brand approves each commission. Then it is ready to be paid.'
    ) : (
      <>
        The customer may still get the money back. From <Day at={until} /> on, the commission is ready to be paid.
      </>
    ),
  rejected: ({ rejection_reason: reason }) => reason,
  reversed: ({ reversal_reason: reason }) => reason && reversals[reason],
};

function Amounts({ of, payoutAddress }: OfProps & { readonly payoutAddress: (payoutId: number) => string }) {
  const { currency, base_amount_cents: base, deducted_cents: deducted, hold_until: until } = of;
  return (
    <Facts title="What it is">
      <Fact name="For">
        {kindTexts[of.kind]}, <Minute at={of.occurred_at} />
      </Fact>
      <Fact name="Status">
        <CommissionBadge of={of} />
      </Fact>
      {base !== null && (
        <Fact name="Of the amount">
          <Money cents={base} currency={currency} />
        </Fact>
      )}
      <Fact name="Commission">
        <Money cents={of.amount_cents} currency={currency} />
      </Fact>
      {deducted > 0 && (
        <Fact name="Taken back">
          <Money cents={-deducted} currency={currency} />
          <div class="hint">for what the customer got back</div>
        </Fact>
      )}
      <Fact name="You get">
        <strong>{of.status === 'rejected' ? 'Nothing' : <Money cents={of.payable_cents} currency={currency} />}</strong>
      </Fact>
      {of.status === 'pending' && (
        <Fact name={of.by_hand ? 'Waits for' : 'On hold until'}>
          {of.by_hand ? 'the approval of the brand' : <Minute at={until} />}
        </Fact>
      )}
      {of.paid_at && of.payout_id !== null && (
        <Fact name="Payout">
          <a href={payoutAddress(of.payout_id)}>Payout {of.payout_id}</a>, <Minute at={of.paid_at} />
        </Fact>
      )}
    </Facts>
  );
}

const TermsOf = ({ of: { why } }: OfProps) =>
  why.terms && (
    <Facts title="By these terms">
      <Fact name="You earn">
        {why.terms.text}
        <div class="hint">{versionText(why.terms)}</div>
      </Fact>
    </Facts>
  );
