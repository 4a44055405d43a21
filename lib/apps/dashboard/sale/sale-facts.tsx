import type { ComponentChildren } from 'preact';
import { CommissionStatusBadge } from '#lib/apps/dashboard/commissions/commission-status-badge.tsx';
import { Badge } from '#lib/apps/dashboard/parts/badge.tsx';
import { Money } from '#lib/apps/dashboard/parts/money.tsx';
import { Time } from '#lib/apps/dashboard/parts/time.tsx';
import type { ExplainedSale } from '#lib/wire/explained-sale.ts';

const paymentTexts = {
  paid: { tone: 'good', text: 'Paid' },
  partially_refunded: { tone: 'waiting', text: 'Partially refunded' },
  refunded: { tone: 'bad', text: 'Refunded' },
  disputed: { tone: 'bad', text: 'Disputed' },
} as const;

/** The sale, its commission and its customer, each in a few words. */
export const SaleFacts = ({ story: { sale, commission, customer } }: { readonly story: ExplainedSale }) => (
  <div class="stack">
    <Facts title="Payment">
      <Fact name="Amount">
        <Money cents={sale.amount_cents} currency={sale.currency} />
      </Fact>
      <Fact name="State">
        <Badge tone={paymentTexts[sale.payment_status].tone}>{paymentTexts[sale.payment_status].text}</Badge>{' '}
        {sale.is_test && <Badge>Test</Badge>}
      </Fact>
      {sale.refunded_amount_cents > 0 && (
        <Fact name="Refunded">
          <Money cents={sale.refunded_amount_cents} currency={sale.currency} />
        </Fact>
      )}
      <Fact name="Paid at">
        <Time at={sale.occurred_at} />
      </Fact>
      <Fact name="Kind">{sale.is_recurring ? 'Renewal' : 'First or single payment'}</Fact>
      <Fact name="Came by">{sale.source === 'api' ? 'Your server' : 'Card processor'}</Fact>
    </Facts>
    {commission && (
      <Facts title="Commission">
        <Fact name="Amount">
          <Money cents={commission.amount_cents} currency={commission.currency} />
        </Fact>
        {commission.deducted_cents > 0 && (
          <Fact name="To be paid">
            <Money cents={commission.payable_cents} currency={commission.currency} />
          </Fact>
        )}
        <Fact name="State">
          <CommissionStatusBadge commission={commission} />
        </Fact>
        {commission.status === 'pending' && (
          <Fact name="On hold until">
            <Time at={commission.hold_until} />
          </Fact>
        )}
      </Facts>
    )}
    {customer && (
      <Facts title="Customer">
        <Fact name="Your id">{customer.customer_key ?? '–'}</Fact>
        <Fact name="E-mail">{customer.email_masked ?? '–'}</Fact>
        <Fact name="First click">
          <Time at={customer.first_click_at} />
        </Fact>
        <Fact name="Signed up">{customer.signup_at ? <Time at={customer.signup_at} /> : 'Not recorded'}</Fact>
      </Facts>
    )}
  </div>
);

const Facts = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="card">
    <h2>{title}</h2>
    <dl class="facts">{children}</dl>
  </section>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
