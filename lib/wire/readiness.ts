import * as z from 'zod/mini';
import { about, count, flag, id, named, optionalTime, text, time } from '#lib/wire/fields.ts';

const passed = z.strictObject({ status: z.literal('pass') });
const failed = (nextAction: string) =>
  z.strictObject({ status: z.literal('fail'), next_action: z.literal(nextAction) });
const gate = (nextAction: string) => z.discriminatedUnion('status', [passed, failed(nextAction)]);

const eachStep = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.strictObject({ click: schema, lead: schema, sale: schema });

const chainVerdict = named(
  'ChainVerdict',
  eachStep(z.enum(['attributed', 'wrong_partner', 'unattributed', 'pending'])),
  'How far each step of a verification chain came.',
);

const payout = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('pass'), mode: z.enum(['stripe', 's2s']) }),
  z.strictObject({
    status: z.literal('unknown'),
    mode: z.literal('manual'),
    next_action: z.literal('surface_stripe_connect_url'),
    endpoint: text,
  }),
]);

const tracking = z.discriminatedUnion('status', [
  z.extend(passed, { detail: z.literal('receiving_events'), checked_at: time }),
  z.extend(failed('install_tracker_or_send_events'), { detail: z.null(), checked_at: time }),
]);

const live = z.discriminatedUnion('status', [
  z.extend(passed, { test_chain: chainVerdict }),
  z.extend(failed('run_synthetic_sale_chain'), { test_chain: chainVerdict }),
]);

/** Contract 9. */
export const readiness = named(
  'Readiness',
  z.strictObject({
    program_id: id,
    state: z.enum(['draft', 'configuring', 'ready', 'integration_verified', 'live_verified']),
    integration_verified: flag,
    blocker: about(
      'The first gate that is not passed; payout is advice and never blocks.',
      z.nullable(z.enum(['profile', 'economics', 'tracking', 'live'])),
    ),
    gates: z.strictObject({
      profile: gate('complete_program_profile'),
      economics: gate('set_commission_policy'),
      payout,
      tracking,
      live,
    }),
    checklist: eachStep(z.enum(['complete', 'pending'])),
    last_event_at: eachStep(optionalTime),
    counts_24h: z.strictObject({ clicks: count, leads: count, sales: count }),
    key_rotated_at: optionalTime,
    poll: z.strictObject({ retry_after_seconds: z.int() }),
  }),
);

/** Contract 10.5. */
export const chainResult = named(
  'ChainResult',
  z.strictObject({
    type: z.literal('chain'),
    short_code: text,
    customer_key: text,
    verdict: chainVerdict,
    attributed: flag,
  }),
);
