import type { Warning } from '#lib/apps/client/errors/referral-error.ts';
import type { WireRequest } from '#lib/apps/client/calls/transport.ts';

type GateName = 'profile' | 'economics' | 'payout' | 'tracking' | 'live';
type Kind = 'click' | 'lead' | 'sale';

interface Gate {
  readonly status: 'pass' | 'fail' | 'unknown';
  /** What to do next, if the gate is not passed. */
  readonly next_action?: string;
  readonly [detail: string]: unknown;
}

/** How far the integration of the key's program is. Each gate is a step of the integration. */
export interface Readiness {
  readonly program_id: number;
  readonly state: 'draft' | 'configuring' | 'ready' | 'integration_verified' | 'live_verified';
  readonly integration_verified: boolean;
  /** The first gate that is not passed. */
  readonly blocker: Exclude<GateName, 'payout'> | null;
  readonly gates: Readonly<Record<GateName, Gate>>;
  readonly checklist: Readonly<Record<Kind, 'complete' | 'pending'>>;
  /** When the last event of each kind was recorded, ISO 8601; null if there is none. */
  readonly last_event_at: Readonly<Record<Kind, string | null>>;
  readonly counts_24h: { readonly clicks: number; readonly leads: number; readonly sales: number };
  readonly key_rotated_at: string | null;
  readonly poll: { readonly retry_after_seconds: number };
  readonly warnings?: readonly Warning[];
}

export const readinessRequest = (forceRecheck: boolean): WireRequest => ({
  method: 'GET',
  path: `/api/v1/programs/me/readiness${forceRecheck ? '?force_recheck=true' : ''}`,
});
