import { CommissionFacts } from '#lib/apps/dashboard/sale/commission-facts.tsx';
import { nameOf } from '#lib/apps/dashboard/customers/customer-texts.ts';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { versionText } from '#lib/apps/web/terms-texts.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { CustomerFacts } from '#lib/wire/traffic/customer.ts';
import type { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';

const paymentTexts = {
  paid: { tone: 'good', text: 'Received' },
  partially_refunded: { tone: 'waiting', text: 'Partially refunded' },
  refunded: { tone: 'bad', text: 'Refunded' },
  disputed: { tone: 'bad', text: 'Disputed' },
} as const;

/** Explains why the payment counts as a renewal. */
const renewalTexts: Readonly<Record<NonNullable<ExplainedSale['sale']['renewal_by']>, string>> = {
  subscription_id: 'The customer had paid for the same subscription before.',
  sale_type: 'The customer had paid for a subscription before.',
  is_recurring: 'Your server said so, and the customer had paid before.',
  billing_reason: 'Stripe’s invoice said so, and the customer had paid before.',
};

interface SaleFactsProps {
  readonly story: ExplainedSale;
  readonly onChange: () => Promise<void>;
}

/** Shows the most important facts about the sale, its commission and its customer. */
export const SaleFacts = ({ story: { sale, commission, tiers, customer }, onChange }: SaleFactsProps) => (
  <div class="stack">
    <Facts title="Payment">
      <Fact name="Amount">
        <Money cents={sale.amount_cents} currency={sale.currency} />
      </Fact>
      {sale.tax_cents !== null && (
        <Fact name="Tax">
          <Money cents={sale.tax_cents} currency={sale.currency} />
          <div class="hint">part of the amount</div>
        </Fact>
      )}
      <Fact name="Status">
        <Badge tone={paymentTexts[sale.payment_status].tone}>{paymentTexts[sale.payment_status].text}</Badge>{' '}
        {sale.is_test && <Badge>Test</Badge>}
      </Fact>
      {sale.refunded_amount_cents > 0 && (
        <Fact name="Refunded">
          <Money cents={sale.refunded_amount_cents} currency={sale.currency} />
        </Fact>
      )}
      {sale.duplicate_of !== null && (
        <Fact name="Duplicate of">
          <span class="identifier">{sale.duplicate_of}</span>
        </Fact>
      )}
      <Fact name="Payment date">
        <Time at={sale.occurred_at} />
      </Fact>
      <Fact name="Kind">
        {sale.is_recurring ? 'Renewal' : 'First or single payment'}
        {sale.renewal_by !== null && <div class="hint">{renewalTexts[sale.renewal_by]}</div>}
      </Fact>
      <Fact name="Came by">{sale.source === 'api' ? 'Your server' : 'Card processor'}</Fact>
      {sale.code !== null && <Fact name="Coupon code">{sale.code}</Fact>}
      {sale.provider_payment_id && (
        <Fact name="Payment id">
          <span class="identifier">{sale.provider_payment_id}</span>
        </Fact>
      )}
    </Facts>
    {commission ? (
      <CommissionFacts commission={commission} sale={sale} tiers={tiers} onChange={onChange} />
    ) : (
      <Facts title="Commission">
        <Fact name="Amount">
          None
          <div class="hint">{whyNone(sale)}</div>
          {sale.terms && <div class="hint">{versionText(sale.terms)}</div>}
        </Fact>
      </Facts>
    )}
    {customer && <CustomerSummary customer={customer} />}
  </div>
);

function whyNone({ is_test: isTest, is_recurring: isRecurring }: ExplainedSale['sale']): string {
  if (isTest) return 'A test sale earns none.';
  return isRecurring ? 'By the terms of that time, this renewal earned none.' : 'None was recorded.';
}

function CustomerSummary({ customer }: { readonly customer: CustomerFacts }) {
  const { program } = useProgram();
  return (
    <Facts title="Customer">
      <Fact name="Customer">
        <a href={programPath('customer', program.id, customer.click_id)}>{nameOf(customer)}</a>
      </Fact>
      <Fact name="E-mail">{customer.email_masked ?? 'Not known'}</Fact>
      <Fact name={customer.source === 'code' ? 'Customer since' : 'First click'}>
        <Time at={customer.first_click_at} />
      </Fact>
      <Fact name="Signed up">{customer.signup_at ? <Time at={customer.signup_at} /> : 'Not recorded'}</Fact>
    </Facts>
  );
}
