import { CustomerStatus } from '#lib/apps/dashboard/customers/customer-status.tsx';
import { amountsOf } from '#lib/apps/dashboard/figures.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Fact, Facts } from '#lib/apps/web/parts/figures/facts.tsx';
import { Moneys } from '#lib/apps/web/parts/figures/money.tsx';
import { PartnerLink, ShortLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import type { Customer } from '#lib/wire/traffic/customer.ts';

interface CustomerFactsProps {
  readonly customer: Customer;
  readonly isErased: boolean;
}

/** Shows who the customer is, where the customer came from, and amounts. */
export const CustomerFacts = ({ customer, isErased }: CustomerFactsProps) => (
  <>
    <Facts title="Customer">
      <Fact name="Your id">{customer.customer_key ?? (isErased ? 'Erased' : 'Not known')}</Fact>
      <Fact name="E-mail">{customer.email_masked ?? (isErased ? 'Erased' : 'Not known')}</Fact>
      <Fact name="Click id">
        <span class="identifier">{customer.click_id}</span> <CopyButton text={customer.click_id} what="the click id" />
      </Fact>
      <Fact name="Status">
        <CustomerStatus customer={customer} />
      </Fact>
      <Fact name="Partner">
        <PartnerLink id={customer.partner_id} name={customer.partner_name} />
      </Fact>
      {customer.code !== null && <Fact name="Came by code">{customer.code}</Fact>}
      {customer.short_link !== null && (
        <Fact name="Link">
          <ShortLink of={customer.short_link} />
        </Fact>
      )}
      <Fact name={customer.source === 'code' ? 'Customer since' : 'First click'}>
        <Time at={customer.first_click_at} />
      </Fact>
      <Fact name="Signed up">{customer.signup_at ? <Time at={customer.signup_at} /> : 'Not recorded'}</Fact>
      <Fact name="First purchase">
        {customer.first_purchase_at ? <Time at={customer.first_purchase_at} /> : 'None yet'}
      </Fact>
    </Facts>
    <Facts title="Money">
      <Fact name="Revenue">
        <Moneys amounts={amountsOf(customer, 'revenue_cents')} />
      </Fact>
      <Fact name="Refunded">
        <Moneys amounts={amountsOf(customer, 'refunded_cents')} />
      </Fact>
      <Fact name="Commission">
        <Moneys amounts={amountsOf(customer, 'commission_cents')} />
        <div class="hint">After deductions for refunds. New sales count within seconds.</div>
      </Fact>
    </Facts>
  </>
);
