import { beforeAll, describe, expect, it, vi } from 'vitest';
import { NetworkError, RateLimitError, ServerError, ValidationError } from '#lib/apps/client/errors/referral-error.ts';

// The recipe that loses no sign-up, for any result of the call.

interface User {
  readonly id: string;
  readonly clickId: string | undefined;
  readonly email: string;
}

interface Shop {
  readonly referrals: { readonly trackLead: (lead: { customerId: string }) => unknown };
  readonly pending: () => Promise<readonly User[]>;
  readonly sent: (user: User) => Promise<void>;
  readonly report?: (error: Error) => void;
}

type Outcome = Promise<{ readonly sent: number; readonly retryAfterSeconds: number }>;

interface Recipe {
  readonly sendPendingLeads: (shop: Shop) => Outcome;
  readonly runOneByOne: (shop: Shop, everyMs?: number) => () => Outcome;
}

// A recipe is plain JavaScript, to be copied.
const path = '../../../lib/apps/client/recipes/pending-leads.js';
let recipe: Recipe;
beforeAll(async () => {
  recipe = (await import(path)) as Recipe;
});

/** A shop with users `u1`, `u2` and so on. `answer` gets the number of the call. */
function shopOf(count: number, answer: (call: number, id: string) => unknown) {
  const users = Array.from({ length: count }, (_, at) => ({
    id: `u${at + 1}`,
    clickId: 'clk_1',
    email: `u${at + 1}@x.test`,
  }));
  const done = new Set<string>();
  const reported: Error[] = [];
  const calls: string[] = [];
  return {
    calls,
    reported,
    done: () => [...done],
    referrals: {
      trackLead: async ({ customerId }: { customerId: string }) => {
        calls.push(customerId);
        const result = await answer(calls.length, customerId);
        if (result instanceof Error) throw result;
        return result;
      },
    },
    pending: async () => users.filter(({ id }) => !done.has(id)),
    sent: async ({ id }: User) => void done.add(id),
    report: (error: Error) => void reported.push(error),
  };
}

describe('the guide’s recipe for sending sign-ups that were stored as pending', () => {
  it('sends them in order, and does not send those again that were permanently refused', async () => {
    const past = new ValidationError('past', { status: 400, reason: 'customer_past_lead' });
    const shop = shopOf(3, (call) => (call === 2 ? past : { success: true, attributed: call !== 3 }));
    expect(await recipe.sendPendingLeads(shop)).toEqual({ sent: 3, retryAfterSeconds: 0 });
    expect([shop.calls, shop.done(), shop.reported]).toEqual([['u1', 'u2', 'u3'], ['u1', 'u2', 'u3'], []]);
  });

  it.each([
    ['a 429 reply', new RateLimitError('limit', { status: 429, retryAfterSeconds: 17 }), 17, []],
    ['a 429 reply without Retry-After', new RateLimitError('limit', { status: 429 }), 60, []],
    ['a service failure', new ServerError('away', { status: 503 }), 60, ['away']],
    ['no reply', new NetworkError('no reply'), 60, ['no reply']],
    ['an invalid key', new ValidationError('key', { status: 401 }), 60, ['key']],
  ])('stops after %s, and the remaining sign-ups stay pending', async (_, error, retryAfterSeconds, reported) => {
    const shop = shopOf(3, (call) => (call === 2 ? error : {}));
    expect(await recipe.sendPendingLeads(shop)).toEqual({ sent: 1, retryAfterSeconds });
    expect([shop.calls, shop.done(), shop.reported.map(({ message }) => message)]).toEqual([
      ['u1', 'u2'],
      ['u1'],
      reported,
    ]);
  });

  it('leaves a refused sign-up pending for the next run, and continues with the others', async () => {
    const shop = shopOf(3, (_, id) => (id === 'u2' ? new ValidationError('refused', { status: 400 }) : {}));
    expect(await recipe.sendPendingLeads(shop)).toEqual({ sent: 2, retryAfterSeconds: 0 });
    expect([shop.done(), shop.reported.map(({ message }) => message)]).toEqual([['u1', 'u3'], ['refused']]);
  });
});

it('the guide’s recipe for pending sign-ups, started three times at once, sends one sign-up at a time and each only once', async () => {
  vi.useFakeTimers();
  let underWay = 0;
  let most = 0;
  const shop = shopOf(4, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
  });
  const run = recipe.runOneByOne(shop);
  await Promise.all([run(), run(), run()]);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect([most, shop.calls]).toEqual([1, ['u1', 'u2', 'u3', 'u4']]);
});
