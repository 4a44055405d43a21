import * as z from 'zod/mini';
import { unsoldReasons } from '#lib/domain/unsold-payment.ts';
import { leadPolicies, programStatuses } from '#lib/domain/program.ts';
import {
  about,
  commissionType,
  flag,
  id,
  keyMask,
  named,
  optionalText,
  optionalTime,
  count,
  rate,
  text,
  time,
} from '#lib/wire/fields.ts';

export const leadAuth = named(
  'LeadAuth',
  z.enum(leadPolicies),
  'Whether a lead from a browser, without key, counts at once or waits for the server to confirm it.',
);
const status = named('ProgramStatus', z.enum(programStatuses));
const windowDays = about('How many days a click may be older than the signup.', z.int());
const duration = about('Months for which recurring types pay; null = lifetime.', z.nullable(z.int()));

/** A program as the dashboard and agents see it (contract 15.3). */
export const program = named(
  'Program',
  z.strictObject({
    id,
    slug: text,
    name: text,
    domain: text,
    status,
    commission_type: commissionType,
    commission_rate: rate,
    duration_months: duration,
    currency: z.literal('USD'),
    attribution_window_days: windowDays,
    lead_auth: leadAuth,
    allowed_origins: z.array(text),
    hold_period_days: z.int(),
    auto_approve: flag,
    api_token_masked: keyMask,
    key_rotated_at: about('When an owner last generated the key.', optionalTime),
    key_last_used_at: about('The hour in which a request last came with the key in force.', optionalTime),
    processor: z.strictObject({ connected: flag, mode: z.nullable(z.enum(['connect', 'direct'])) }),
    created_at: time,
    updated_at: time,
  }),
);

/** Contract 10.2. */
export const createdProgram = named(
  'CreatedProgram',
  z.strictObject({
    program_id: id,
    program_slug: text,
    name: text,
    domain: text,
    status,
    commission_type: commissionType,
    commission_rate: rate,
    duration_months: duration,
    attribution_window_days: windowDays,
    lead_auth: leadAuth,
    api_token_masked: keyMask,
    api_key_url: about('Where an owner generates the key.', text),
  }),
);

/** Contract 10.3. */
export const listedProgram = named(
  'ListedProgram',
  z.strictObject({
    id,
    name: text,
    slug: text,
    domain: text,
    status,
    commission: about('Such as `20%`, `20% recurring (12 months)` or `$50`.', text),
    commission_type: commissionType,
    commission_rate: rate,
    attribution_window_days: windowDays,
    lead_auth: leadAuth,
    api_token_masked: keyMask,
    partners: about('Active ones.', count),
    created_at: time,
  }),
);

/** Contract 10.4. */
export const programHealth = named(
  'ProgramHealth',
  z.strictObject({
    program_id: id,
    name: text,
    domain: text,
    stripe_connected: flag,
    stripe_charges_enabled: flag,
    recent_events: z.strictObject({ clicks_24h: count, leads_24h: count, sales_24h: count }),
    active_partners: count,
    pending_commissions: count,
    lead_auth: leadAuth,
    integration_verified: flag,
  }),
);

/** Contract 15.4. */
const processorFields = z.strictObject({
  connected: flag,
  mode: z.nullable(z.enum(['connect', 'direct'])),
  account_id: optionalText,
  charges_enabled: flag,
  payouts_enabled: flag,
  details_submitted: flag,
  livemode: z.nullable(flag),
  connected_at: z.nullable(time),
  webhook_url: about('Where the brand registers its own endpoint in direct mode.', text),
  signing_secret_set: flag,
  last_delivery: about(
    'The last event that came, noted about once a minute. `outcome` is `processed`, or why it changed nothing.',
    z.nullable(z.strictObject({ at: time, type: text, outcome: text })),
  ),
  last_bad_signature_at: about('When an event with a wrong signature last came.', z.nullable(time)),
});

export const processor = named('Processor', processorFields);

/** What the last program that leaves an account is told. */
export const disconnectedProcessor = z.extend(processorFields, {
  deauthorized: about('Whether Stripe took the platform off the account.', flag),
});

/** A payment that did not become a sale. */
export const unsoldPayment = z.strictObject({
  event_id: about('Null for a sale of the sale endpoint.', optionalText),
  event_type: about('As Stripe calls it, or `api`.', text),
  transaction_id: text,
  amount_cents: z.int(),
  currency: about('As sent.', text),
  reason: z.enum(unsoldReasons),
  at: about('When it came in.', time),
});
