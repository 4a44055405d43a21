import type { Step } from '#lib/service/reports/figures/readiness.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { Integration } from '#lib/service/reports/figures/integration-of.ts';
import type * as wire from '#lib/wire/reports/readiness.ts';

const POLL_AGAIN_SECONDS = 5;

const passOr = <Action extends string>(isPassed: boolean, nextAction: Action) =>
  isPassed ? ({ status: 'pass' } as const) : ({ status: 'fail', next_action: nextAction } as const);

/** Returns one value for each step, in the order in which the steps are taken, because a stored map is unordered. */
const eachStep = <Value>(valueOf: (step: Step) => Value): Record<Step, Value> => ({
  click: valueOf('click'),
  lead: valueOf('lead'),
  sale: valueOf('sale'),
});

/** The reply about a program's readiness, for the brand's server and for the dashboard. */
export function readinessReply({ facts, readiness, lastDay }: Integration, { now, config }: Deps): wire.Readiness {
  const { program, lastRealAt, chain } = facts;
  const { passes, payoutMode, complete } = readiness;
  return {
    program_id: program.id,
    state: readiness.state,
    integration_verified: readiness.isVerified,
    blocker: readiness.blocker,
    gates: {
      profile: passOr(passes.profile, 'complete_program_profile'),
      economics: passOr(passes.economics, 'set_commission_policy'),
      payout:
        payoutMode === 'manual'
          ? {
              status: 'unknown',
              mode: payoutMode,
              next_action: 'surface_stripe_connect_url',
              endpoint: `${config.dashboardUrl}/programs/${program.id}/settings`,
            }
          : { status: 'pass', mode: payoutMode },
      tracking: passes.tracking
        ? { status: 'pass', detail: 'receiving_events', checked_at: now.toISOString() }
        : {
            status: 'fail',
            next_action: 'install_tracker_or_send_events',
            detail: null,
            checked_at: now.toISOString(),
          },
      live: {
        ...passOr(passes.live, 'run_synthetic_sale_chain'),
        test_chain: eachStep((step) => chain[step]),
      },
    },
    checklist: eachStep((step) => (complete[step] ? 'complete' : 'pending')),
    last_event_at: eachStep((step) => lastRealAt[step] ?? null),
    counts_24h: lastDay,
    key_rotated_at: program.keyRotatedAt ?? null,
    poll: { retry_after_seconds: POLL_AGAIN_SECONDS },
  };
}
