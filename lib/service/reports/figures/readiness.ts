import { commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { processorModeOf } from '#lib/service/programs/program/processor.ts';
import type { Program } from '#lib/service/programs/program/program.ts';

export type Step = 'click' | 'lead' | 'sale';
export const steps = ['click', 'lead', 'sale'] as const satisfies readonly Step[];

/** The result of one step of a verification chain. */
export type Verdict = 'attributed' | 'wrong_partner' | 'unattributed' | 'pending';
export type ChainVerdict = Readonly<Record<Step, Verdict>>;

export const chainNotRun: ChainVerdict = { click: 'pending', lead: 'pending', sale: 'pending' };

/** What is known about the state of a program's integration. Times are ISO 8601. */
export interface IntegrationFacts {
  readonly program: Program;
  /** When the latest real event of each kind was recorded. */
  readonly lastRealAt: Readonly<Partial<Record<Step, string>>>;
  /** When the latest real sale was recorded through the API. */
  readonly lastApiSaleAt?: string;
  /** When the brand's server first forwarded a payment of its processor. */
  readonly forwardedPaymentAt?: string;
  /** The kinds of events for which a test event was sent with the program key. */
  readonly keyedTests: ReadonlySet<Step>;
  /** The result of the latest verification chain. */
  readonly chain: ChainVerdict;
  /** Whether any verification chain has stored test events. */
  readonly hasChainRows: boolean;
}

/** The checks that a program must pass to be ready, in the order in which the first failed one is reported. */
const blockers = ['profile', 'economics', 'tracking', 'live'] as const;
type GateName = (typeof blockers)[number] | 'payout';
type ReadinessState = 'draft' | 'configuring' | 'ready' | 'integration_verified' | 'live_verified';

export interface Readiness {
  readonly state: ReadinessState;
  readonly isVerified: boolean;
  readonly passes: Readonly<Record<GateName, boolean>>;
  /** How partners are paid. This check is only advice: the program can be ready without it. */
  readonly payoutMode: 'stripe' | 's2s' | 'manual';
  readonly blocker: (typeof blockers)[number] | null;
  readonly complete: Readonly<Record<Step, boolean>>;
}

/** The checks that an integration has passed, and the first one that it fails. */
export function readinessOf(facts: IntegrationFacts): Readiness {
  const { program, lastRealAt, keyedTests, chain } = facts;
  const hasReal = steps.some((step) => lastRealAt[step] !== undefined);
  const isServerToServer = (facts.lastApiSaleAt ?? facts.forwardedPaymentAt) !== undefined || keyedTests.has('sale');
  const payoutMode = processorModeOf(program.processor) !== null ? 'stripe' : isServerToServer ? 's2s' : 'manual';
  const passes = {
    profile: Boolean(program.name && program.domain),
    economics: commissionTypes.includes(program.commissionType) && program.commissionRate > 0,
    payout: payoutMode !== 'manual',
    tracking: hasReal || keyedTests.size > 0 || facts.hasChainRows,
    live: lastRealAt.sale !== undefined || chain.sale === 'attributed',
  };
  const blocker = blockers.find((gate) => !passes[gate]) ?? null;
  return {
    state: stateOf(blocker, hasReal),
    isVerified: blocker === null,
    passes,
    payoutMode,
    blocker,
    complete: { click: isComplete(facts, 'click'), lead: isComplete(facts, 'lead'), sale: isComplete(facts, 'sale') },
  };
}

function stateOf(blocker: (typeof blockers)[number] | null, hasReal: boolean): ReadinessState {
  if (blocker === 'profile') return 'draft';
  if (blocker === 'economics' || blocker === 'tracking') return 'configuring';
  if (blocker === 'live') return 'ready';
  return hasReal ? 'live_verified' : 'integration_verified';
}

const isComplete = ({ lastRealAt, keyedTests }: IntegrationFacts, step: Step): boolean =>
  lastRealAt[step] !== undefined || keyedTests.has(step);
