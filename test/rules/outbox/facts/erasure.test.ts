import { expect, it } from 'vitest';
import { erasedFact } from '#lib/service/outbox/facts/erasure.ts';

it('an erasure removes only identifying data from a fact', () => {
  const kept = { id: 1, type: 'lead', is_test: false, click_id: 'clk_1', partner_name: 'Ana', state: 'settled' };
  const personal = { customer_key: 'u1', event_name: 'signup of Ada', email_masked: 'a***@acme.test' };
  expect(erasedFact({ ...kept, ...personal })).toEqual({
    ...kept,
    customer_key: null,
    event_name: null,
    email_masked: null,
  });
  expect(erasedFact({ page_url: 'https://a.test/ada', referrer_url: 'https://b.test/', refund_reason: 'Ada' })).toEqual(
    {
      page_url: null,
      referrer_url: null,
      refund_reason: null,
    },
  );
});
