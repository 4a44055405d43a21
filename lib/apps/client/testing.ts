import type { ReferralClient } from '#lib/apps/client/referral-client.ts';

/** The interface that a shop's code uses: a {@link ReferralClient} in production and a mock in tests. */
export type Referrals = Pick<
  ReferralClient,
  'trackClick' | 'trackLead' | 'trackSale' | 'trackRefund' | 'trackStripeEvent' | 'readiness'
>;

type Method = keyof Referrals;

/**
 * For each method, the result that the mock returns, or a function that gets the call's argument and returns the result
 * or throws.
 */
export type MockAnswers = {
  readonly [Name in Method]?:
    | Awaited<ReturnType<Referrals[Name]>>
    | ((argument: Parameters<Referrals[Name]>[0]) => Awaited<ReturnType<Referrals[Name]>>);
};

/** A call that the mock received, with the argument that was given. */
export interface MockCall {
  readonly method: Method;
  readonly argument: unknown;
}

const recorded: MockAnswers = {
  trackClick: { success: true, click_id: 'clk_mock', partner_code: 'mock', cookie_window_days: 60 },
  trackLead: { success: true, duplicate: false, message: 'Lead tracked successfully' },
  trackSale: {
    success: true,
    duplicate: false,
    sale_id: 1,
    commission_id: 1,
    attributed: true,
    message: 'Sale tracked successfully',
  },
  trackRefund: { success: true, status: 'reversed', sale_id: 1, commission_id: 1, message: 'Commission reversed' },
  trackStripeEvent: { success: true, event_id: 'evt_mock', outcome: 'processed', message: 'Stripe event received' },
};

/**
 * Creates a mock client that sends nothing. It stores the calls. Without `answers`, it replies that everything was
 * recorded.
 *
 * @example
 * const referrals = createMockReferrals({ trackSale: () => { throw new Error('The service is away'); } });
 * await signUp({ referrals });
 * expect(referrals.calls).toEqual([{ method: 'trackLead', argument: { customerId: 'user_1' } }]);
 */
export function createMockReferrals(answers: MockAnswers = {}): Referrals & { readonly calls: readonly MockCall[] } {
  const calls: MockCall[] = [];
  const told: Readonly<Record<string, unknown>> = { ...recorded, ...answers };
  const method = (name: Method) => async (argument?: unknown) => {
    calls.push({ method: name, argument });
    const answer = told[name];
    if (answer === undefined) throw new Error(`createMockReferrals has no answer for ${name}`);
    return typeof answer === 'function' ? answer(argument) : answer;
  };
  const names: readonly Method[] = [
    'trackClick',
    'trackLead',
    'trackSale',
    'trackRefund',
    'trackStripeEvent',
    'readiness',
  ];
  const methods = Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as Referrals;
  return { ...methods, calls };
}
