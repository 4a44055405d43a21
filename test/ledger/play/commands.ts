import type { Command, History, SingleCommand } from '#test/ledger/play/command.ts';
import { type Seeded, seeded } from '#test/ledger/play/seeded.ts';
import type { Settings, Terms } from '#test/ledger/state.ts';

// Creates random histories of commands.

export const PARTNERS = 3;
const CURRENCIES = ['USD', 'EUR', 'VND'] as const;

const HOUR = 3600;
const DAY = 24 * HOUR;

function anyTerms({ of, chance }: Seeded): Terms {
  const type = of(['percent', 'fixed', 'recurring_percent', 'recurring_fixed'] as const);
  const isPercent = type.endsWith('percent');
  return {
    type,
    rate: of([20, 12.5, 33.3333, 5, 0.005]),
    months: type.startsWith('recurring') ? of([0, 1, 3]) : 0,
    holdDays: of([0, 7, 15, 40]),
    leadCents: of([0, 0, 300]),
    tiers:
      isPercent && chance(0.5)
        ? of([
            [{ from: 2, rate: 30 }],
            [
              { from: 1, rate: 25 },
              { from: 4, rate: 40 },
            ],
          ])
        : [],
  };
}

const anySettings = ({ of, chance }: Seeded): Settings => ({
  currency: of(CURRENCIES),
  commissionBase: of(['gross', 'excluding_tax']),
  codePrecedence: of(['link_first', 'code_first']),
  termsApply: of(['current', 'first_sale']),
  windowDays: of([30, 60, 365]),
  autoApprove: chance(0.75),
  minimumCents: of([0, 0, 1000, 5000]),
  holdsSelfReferral: chance(0.5),
  isSandbox: chance(0.25),
});

const anyAmount = ({ of, between }: Seeded): number =>
  of([between(1, 20), between(100, 9999), between(100, 9999), between(10_000, 9_999_999)]);

type Maker = (random: Seeded) => Command;
const pick = ({ below }: Seeded): number => below(1000);
const perhaps = (random: Seeded, share: number, of: () => number): number | null =>
  random.chance(share) ? of() : null;

const makers: readonly (readonly [weight: number, Maker])[] = [
  [6, (r) => ({ do: 'click', partner: r.below(PARTNERS) })],
  [1, (r) => ({ do: 'again', customer: pick(r), partner: r.below(PARTNERS) })],
  [5, (r) => ({ do: 'lead', customer: pick(r), isSelf: r.chance(0.25) })],
  [2, (r) => ({ do: 'browserLead', customer: pick(r) })],
  [14, anySale],
  [2, (r) => ({ do: 'resend', sale: pick(r) })],
  [
    8,
    (r) => ({
      do: 'stripe',
      kind: r.of(['checkout', 'intent', 'subscribe', 'invoice']),
      customer: pick(r),
      amount: anyAmount(r),
      taxPercent: r.of([0, 0, 7, 19]),
      currency: r.of(CURRENCIES),
      isTwice: r.chance(0.2),
      isReversed: r.chance(0.3),
    }),
  ],
  [
    3,
    (r) => ({
      do: 'live',
      kind: r.of(['checkout', 'intent', 'subscribe', 'invoice']),
      customer: pick(r),
      amount: anyAmount(r),
      currency: r.of(CURRENCIES),
      isTwice: r.chance(0.4),
      isReversed: r.chance(0.3),
    }),
  ],
  [5, (r) => ({ do: 'renew', sale: pick(r), amount: anyAmount(r), isUpgrade: r.chance(0.2) })],
  [
    2,
    (r) => ({
      do: 'early',
      customer: pick(r),
      amount: anyAmount(r),
      firstAmount: anyAmount(r),
      hoursBefore: r.between(1, 20),
    }),
  ],
  [5, (r) => ({ do: 'stripeRefund', sale: pick(r), percent: r.of([1, 30, 50, 99, 100, 100]) })],
  [3, (r) => ({ do: 'dispute', sale: pick(r), percent: r.of([10, 50, 100, 100]) })],
  [3, (r) => ({ do: 'win', dispute: pick(r) })],
  [9, anyRefund],
  [
    8,
    (r) => ({
      do: 'decide',
      commission: pick(r),
      decision: r.of(['approve', 'approve', 'reject', 'reject', 'release', 'reopen', 'reopen', 'reopen']),
    }),
  ],
  [
    2,
    (r) => ({
      do: 'grant',
      partner: r.below(PARTNERS),
      cents: r.between(-3000, 9999) || 1,
      currency: r.of(CURRENCIES),
    }),
  ],
  [
    5,
    (r) => ({
      do: 'payOut',
      partner: perhaps(r, 0.3, () => r.below(PARTNERS)),
      daysBack: perhaps(r, 0.3, () => r.below(20)),
    }),
  ],
  [
    4,
    (r) => ({
      do: 'terms',
      of: r.of(['program', 'group', 'personal']),
      partner: r.below(PARTNERS),
      terms: r.chance(0.2) ? null : anyTerms(r),
    }),
  ],
  [2, (r) => ({ do: 'member', partner: r.below(PARTNERS), isIn: r.chance(0.7) })],
  [
    2,
    (r) => {
      const { autoApprove, commissionBase, termsApply, codePrecedence, minimumCents, currency } = anySettings(r);
      return {
        do: 'settings',
        change: r.of([
          { autoApprove },
          { commissionBase },
          { termsApply },
          { codePrecedence },
          { minimumCents },
          { currency },
        ] as const),
      };
    },
  ],
  [2, (r) => ({ do: 'partner', partner: r.below(PARTNERS), isRemoved: r.chance(0.4) })],
  [
    3,
    (r) => ({
      do: 'patch',
      partner: r.below(PARTNERS),
      isRemoved: r.of([null, true, false, false]),
      isIn: r.of([null, true, true, false]),
      ...(r.chance(0.6) && { terms: r.chance(0.3) ? null : anyTerms(r) }),
      isRefused: r.chance(0.2),
    }),
  ],
  [
    9,
    (r) => ({
      do: 'wait',
      seconds: r.of([r.between(1, 59), r.between(1, 40) * HOUR, r.between(1, 20) * DAY, r.between(5, 45) * DAY]),
    }),
  ],
  [6, anyRace],
];

function anySale(r: Seeded): SingleCommand {
  const code = perhaps(r, 0.25, () => r.below(PARTNERS));
  const type = r.of(['payment', 'payment', 'subscription'] as const);
  return {
    do: 'sale',
    customer: pick(r),
    amount: anyAmount(r),
    taxPercent: perhaps(r, 0.5, () => r.of([0, 7, 19, 100])),
    currency: r.chance(0.2) ? null : r.of(CURRENCIES),
    type,
    subscription: type === 'subscription' ? perhaps(r, 0.7, () => r.below(2)) : null,
    isRecurring: r.chance(0.3),
    hoursAgo: r.of([0, 0, 0, r.between(1, 24 * 20)]),
    by: code === null ? r.of(['both', 'both', 'key']) : r.of(['both', 'code', 'code']),
    code,
    payment: perhaps(r, 0.25, () => r.below(6)),
  };
}

function anyRefund(r: Seeded): SingleCommand {
  return {
    do: 'refund',
    sale: pick(r),
    percent: r.of([null, 1, 25, 50, 75, 99, 100]),
    reason: r.of(['refund', 'refund', 'chargeback']),
    id: perhaps(r, 0.5, () => r.below(3)),
    isCorrection: r.chance(0.3),
  };
}

const EVERYTHING: SingleCommand = { do: 'payOut', partner: null, daysBack: null };

/** Creates several commands that run in parallel. Most often, they concern the same sale. */
function anyRace(r: Seeded): Command {
  const sale = pick(r);
  const refund = (): SingleCommand => ({ ...(anyRefund(r) as Extract<SingleCommand, { do: 'refund' }>), sale });
  const resend = (): SingleCommand => ({ do: 'resend', sale });
  const dispute = (): SingleCommand => ({ do: 'dispute', sale, percent: r.of([50, 100]) });
  const stripeRefund = (): SingleCommand => ({ do: 'stripeRefund', sale, percent: r.of([30, 100]) });
  const decide = (): SingleCommand => ({
    do: 'decide',
    commission: sale,
    decision: r.of(['approve', 'reject', 'reopen']),
  });
  if (r.chance(0.25))
    return { do: 'race', of: Array.from<SingleCommand>({ length: r.between(2, 3) }).fill(anySale(r)) };
  const options = [refund, refund, resend, dispute, stripeRefund, decide, decide, () => EVERYTHING, () => anySale(r)];
  return { do: 'race', of: Array.from({ length: r.between(2, 3) }, () => r.of(options)()) };
}

const WEIGHT = makers.reduce((total, [weight]) => total + weight, 0);

function anyCommand(random: Seeded): Command {
  let left = random.below(WEIGHT);
  const [, make] = makers.find(([weight]) => (left -= weight) < 0)!;
  return make(random);
}

const newcomer = ({ below }: Seeded): Command => ({ do: 'click', partner: below(PARTNERS) });

/** Returns the history of a seed. The same seed always gives the same history. */
export function historyOf(seed: number): History {
  const random = seeded(seed);
  const length = random.between(60, 150);
  return {
    seed,
    settings: anySettings(random),
    terms: anyTerms(random),
    // The first commands create a customer, because most of the others need one.
    commands: [
      ...Array.from({ length: 4 }, () => newcomer(random)),
      ...Array.from({ length }, () => anyCommand(random)),
    ],
  };
}
