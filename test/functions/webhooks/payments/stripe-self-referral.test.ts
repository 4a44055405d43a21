import { describe, expect, it } from 'vitest';
import { changeProgram, settledLead } from '#test/support/payments/lives/journeys.ts';
import { commissionOf, paid, visitor } from '#test/support/payments/payers.ts';
import { NOW } from '#test/support/callers/request.ts';
import { deliver, openProcessor } from '#test/support/stripe/stripe.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests that a payer with the partner's own address is a self-referral, regardless of the sign-up address.

openProcessor();

const world = openedWorld();

/** @param signup the sign-up's address, or undefined @param payer the payment's address */
async function bought(signup: string | undefined, payer: string) {
  const { brand, clickId, id, metadata } = await visitor(world);
  await changeProgram(world, brand, { rules: { same_domain: 'flag' } });
  await settledLead(brand, { click_id: clickId, customer_key: id, email: signup });
  await deliver(brand, paid(id, { metadata, customer_details: { email: payer } }));
  return commissionOf(world, `cs_${id}`);
}

const flags = (...rules: readonly string[]) =>
  rules.map((rule) => ({ rule, at: NOW.toISOString(), evidence: expect.any(String) }));

describe('the payer’s e-mail address in a Stripe payment', () => {
  it.each([
    ['after a sign-up without an e-mail address', undefined],
    ['after a sign-up with another e-mail address', 'kim@gmail.com'],
    ['after a sign-up with an e-mail address in its domain', 'kim@partners.test'],
  ])('flags the sale as a self-referral, if it is the partner’s address, %s', async (_, signup) => {
    expect(await bought(signup, 'Ana+shop@partners.test')).toMatchObject({
      status: 'pending',
      flags: flags('self_referral', 'same_domain'),
    });
  });

  it('does not remove the flags that the e-mail address of the sign-up caused', async () => {
    expect(await bought('ana@partners.test', 'kim@gmail.com')).toMatchObject({
      flags: flags('self_referral', 'same_domain'),
    });
    expect(await bought('kim@partners.test', 'kim@gmail.com')).toMatchObject({ flags: flags('same_domain') });
  });

  it('does not flag the sale if it is not the partner’s', async () => {
    expect(await bought('kim@gmail.com', 'kim@work.test')).not.toHaveProperty('flags');
    expect(await bought(undefined, 'kim@work.test')).not.toHaveProperty('flags');
  });
});
