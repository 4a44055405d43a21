import { NOW } from '#test/support/callers/request.ts';
import type { Brand } from '#test/support/programs/world.ts';

// A complete readiness reply. Tests change parts of it.

export const now = NOW.toISOString();
const passed = { status: 'pass' };
export const receiving = { status: 'pass', detail: 'receiving_events', checked_at: now };
export const failedGate = (next_action: string) => ({ status: 'fail', next_action });
export const notRun = { click: 'pending', lead: 'pending', sale: 'pending' };
export const attributed = { click: 'attributed', lead: 'attributed', sale: 'attributed' };
export const s2s = { status: 'pass', mode: 's2s' };
export const chainPassed = { status: 'pass', test_chain: attributed };

/** The reply for a program that has settings but no events yet. */
export const unproven = ({ program }: Brand) => ({
  program_id: program.id,
  state: 'configuring',
  integration_verified: false,
  blocker: 'tracking' as string | null,
  gates: {
    profile: passed as object,
    economics: passed as object,
    payout: {
      status: 'unknown',
      mode: 'manual',
      next_action: 'surface_stripe_connect_url',
      endpoint: `https://track.test/programs/${program.id}/settings`,
    } as object,
    tracking: { ...failedGate('install_tracker_or_send_events'), detail: null, checked_at: now } as object,
    live: { ...failedGate('run_synthetic_sale_chain'), test_chain: notRun } as object,
  },
  checklist: { click: 'pending', lead: 'pending', sale: 'pending' },
  last_event_at: { click: null, lead: null, sale: null } as Record<string, string | null>,
  counts_24h: { clicks: 0, leads: 0, sales: 0 },
  key_rotated_at: now as string | null,
  poll: { retry_after_seconds: 5 },
});
type Readiness = ReturnType<typeof unproven>;

/** Fields that differ from `unproven`. Counters lag behind events, so the counts here are zero even after events. */
export interface Difference extends Partial<Omit<Readiness, 'gates' | 'checklist' | 'last_event_at'>> {
  readonly gates?: Partial<Readiness['gates']>;
  readonly checklist?: Partial<Readiness['checklist']>;
  readonly last_event_at?: Readiness['last_event_at'];
}

export const unprovenBut = (brand: Brand, { gates, checklist, last_event_at, ...rest }: Difference) => {
  const fresh = unproven(brand);
  return {
    ...fresh,
    ...rest,
    gates: { ...fresh.gates, ...gates },
    checklist: { ...fresh.checklist, ...checklist },
    last_event_at: { ...fresh.last_event_at, ...last_event_at },
  };
};
