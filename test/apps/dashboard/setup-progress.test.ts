import { expect, it } from 'vitest';
import { setupProgress } from '#lib/apps/dashboard/setup/setup-progress.ts';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

const AT = '2026-11-20T15:00:00.000Z';
const fresh: Readiness = {
  program_id: 1,
  state: 'configuring',
  integration_verified: false,
  blocker: 'tracking',
  gates: {
    profile: { status: 'pass' },
    economics: { status: 'pass' },
    payout: {
      status: 'unknown',
      mode: 'manual',
      next_action: 'surface_stripe_connect_url',
      endpoint: 'https://example.com/programs/1/settings',
    },
    tracking: { status: 'fail', next_action: 'install_tracker_or_send_events', detail: null, checked_at: AT },
    live: {
      status: 'fail',
      next_action: 'run_synthetic_sale_chain',
      test_chain: { click: 'pending', lead: 'pending', sale: 'pending' },
    },
  },
  checklist: { click: 'pending', lead: 'pending', sale: 'pending' },
  last_event_at: { click: null, lead: null, sale: null },
  counts_24h: { clicks: 0, leads: 0, sales: 0 },
  key_rotated_at: null,
  poll: { retry_after_seconds: 5 },
};

it.each<[string, Partial<Readiness>, string | undefined, number]>([
  ['in a new program: the key', {}, 'key', 1],
  ['after an owner generated the key: the click', { key_rotated_at: AT }, 'click', 2],
  [
    'after a click arrived: the sign-up',
    { key_rotated_at: AT, checklist: { click: 'complete', lead: 'pending', sale: 'pending' } },
    'lead',
    3,
  ],
  [
    'with an imported key, after a click and a sign-up: the sale',
    {
      last_event_at: { click: AT, lead: AT, sale: null },
      checklist: { click: 'complete', lead: 'complete', sale: 'pending' },
    },
    'sale',
    4,
  ],
  [
    'if a sale arrived before any click: the click',
    { key_rotated_at: AT, checklist: { click: 'pending', lead: 'pending', sale: 'complete' } },
    'click',
    3,
  ],
])('the next step of a program’s set-up, %s', (_, changes, next, doneCount) => {
  expect(setupProgress({ ...fresh, ...changes })).toMatchObject({ next, doneCount, stepCount: 6 });
});

it('the set-up of a program is complete when a sale was attributed', () => {
  const done: Readiness = {
    ...fresh,
    key_rotated_at: AT,
    gates: {
      ...fresh.gates,
      live: { status: 'pass', test_chain: { click: 'attributed', lead: 'attributed', sale: 'attributed' } },
    },
    checklist: { click: 'complete', lead: 'complete', sale: 'complete' },
  };
  expect(setupProgress(done)).toMatchObject({ next: undefined, doneCount: 6 });
});
