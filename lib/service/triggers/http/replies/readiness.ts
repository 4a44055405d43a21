import { type Step, steps } from '#lib/domain/readiness.ts';
import type { Deps } from '#lib/service/deps.ts';
import type { Integration } from '#lib/service/use-cases/integration-of.ts';

const POLL_AGAIN_SECONDS = 5;

const passOr = (isPassed: boolean, fail: Record<string, unknown>) =>
  isPassed ? { status: 'pass' } : { status: 'fail', ...fail };

/** The steps in the order in which they are taken; a stored map has none. */
const eachStep = <Value>(valueOf: (step: Step) => Value) =>
  Object.fromEntries(steps.map((step) => [step, valueOf(step)]));

/** Readiness as the brand's server and its dashboard see it (contract 9). */
export function readinessReply({ facts, readiness, lastDay }: Integration, { now, config }: Deps) {
  const { program, lastRealAt, chain } = facts;
  const { passes, payoutMode, complete } = readiness;
  return {
    program_id: program.id,
    state: readiness.state,
    integration_verified: readiness.isVerified,
    blocker: readiness.blocker,
    gates: {
      profile: passOr(passes.profile, { next_action: 'complete_program_profile' }),
      economics: passOr(passes.economics, { next_action: 'set_commission_policy' }),
      payout: passes.payout
        ? { status: 'pass', mode: payoutMode }
        : {
            status: 'unknown',
            mode: payoutMode,
            next_action: 'surface_stripe_connect_url',
            endpoint: `${config.dashboardUrl}/programs/${program.id}/settings`,
          },
      tracking: {
        ...passOr(passes.tracking, { next_action: 'install_tracker_or_send_events' }),
        detail: passes.tracking ? 'receiving_events' : null,
        checked_at: now.toISOString(),
      },
      live: {
        ...passOr(passes.live, { next_action: 'run_synthetic_sale_chain' }),
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
