import * as z from 'zod/mini';
import { steps } from '#lib/service/reports/figures/readiness.ts';
import { about, count, flag, id, named, optionalTime, text, time } from '#lib/wire/words/fields.ts';

const passed = z.strictObject({ status: z.literal('pass') });
const failed = <Action extends string>(nextAction: Action) =>
  z.strictObject({ status: z.literal('fail'), next_action: z.literal(nextAction) });
const gate = <Action extends string>(nextAction: Action) =>
  z.discriminatedUnion('status', [passed, failed(nextAction)]);

const eachStep = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.strictObject({ click: schema, lead: schema, sale: schema });

export const ChainVerdict = named(
  'ChainVerdict',
  eachStep(z.enum(['attributed', 'wrong_partner', 'unattributed', 'pending'])),
  'The result of each step of a verification chain.',
);
export type ChainVerdict = z.output<typeof ChainVerdict>;

const PayoutGate = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('pass'), mode: z.enum(['stripe', 's2s']) }),
  z.strictObject({
    status: z.literal('unknown'),
    mode: z.literal('manual'),
    next_action: z.literal('surface_stripe_connect_url'),
    endpoint: text,
  }),
]);

const TrackingGate = z.discriminatedUnion('status', [
  z.extend(passed, { detail: z.literal('receiving_events'), checked_at: time }),
  z.extend(failed('install_tracker_or_send_events'), { detail: z.null(), checked_at: time }),
]);

const LiveGate = z.discriminatedUnion('status', [
  z.extend(passed, { test_chain: ChainVerdict }),
  z.extend(failed('run_synthetic_sale_chain'), { test_chain: ChainVerdict }),
]);

const Gates = named(
  'ReadinessGates',
  z.strictObject({
    profile: gate('complete_program_profile'),
    economics: gate('set_commission_policy'),
    payout: PayoutGate,
    tracking: TrackingGate,
    live: LiveGate,
  }),
);

export const Readiness = named(
  'Readiness',
  z.strictObject({
    program_id: id,
    state: z.enum(['draft', 'configuring', 'ready', 'integration_verified', 'live_verified']),
    integration_verified: flag,
    blocker: about(
      'The first gate that is not passed. The payout gate is only advice and is never the blocker.',
      z.nullable(z.enum(['profile', 'economics', 'tracking', 'live'])),
    ),
    gates: Gates,
    checklist: eachStep(z.enum(['complete', 'pending'])),
    last_event_at: eachStep(optionalTime),
    counts_24h: z.strictObject({ clicks: count, leads: count, sales: count }),
    key_rotated_at: optionalTime,
    poll: z.strictObject({ retry_after_seconds: z.int() }),
  }),
);
export type Readiness = z.output<typeof Readiness>;
export type GateName = keyof Readiness['gates'];

/** The result of a verification chain. */
export const ChainResult = named(
  'ChainResult',
  z.strictObject({
    type: z.literal('chain'),
    short_code: text,
    customer_key: text,
    verdict: ChainVerdict,
    attributed: flag,
  }),
);
export type ChainResult = z.output<typeof ChainResult>;

/** A single test event of the command line. */
export const SentTestEvent = z.strictObject({
  event_type: z.enum(steps),
  event_id: id,
  received: z.literal(true),
  attributed: z.literal(false),
  is_test: z.literal(true),
  message: z.literal(steps.map((step) => `Test ${step} event recorded`)),
});
export type SentTestEvent = z.output<typeof SentTestEvent>;
