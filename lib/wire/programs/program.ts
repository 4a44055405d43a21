import * as z from 'zod/mini';
import {
  about,
  CommissionType,
  flag,
  id,
  keyMask,
  named,
  optionalTime,
  count,
  rate,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { processorMode } from '#lib/wire/conversions/processor.ts';
import { LeadAuth, sandbox, schemasOf, status, windowDays } from '#lib/wire/programs/settings/program-settings.ts';
import { type SettingName } from '#lib/wire/programs/settings/program-settings-request.ts';
import { durationMonths } from '#lib/wire/programs/terms.ts';

/** A program as the dashboard and agents see it. */
export const Program = named(
  'Program',
  z.strictObject({
    id,
    slug: text,
    ...schemasOf('shown'),
    partner_terms_version: about(
      'The version of the text that partners must accept.',
      z.nullable(z.int().check(z.positive())),
    ),
    api_token_masked: keyMask,
    key_rotated_at: about('When an owner last generated the key.', optionalTime),
    key_last_used_at: about('The hour of the last request with the present key.', optionalTime),
    processor: z.strictObject({ connected: flag, mode: processorMode }),
    created_at: time,
    updated_at: time,
  }),
);
export type Program = z.output<typeof Program>;

/** The settings that are stored with the program itself. */
export type StoredSettings = Omit<Pick<Program, SettingName>, 'partner_terms'>;

/** A program as `init` of the command line returns it. */
export const CreatedProgram = named(
  'CreatedProgram',
  z.strictObject({
    program_id: id,
    program_slug: text,
    name: text,
    domain: text,
    status,
    commission_type: CommissionType,
    commission_rate: rate,
    duration_months: durationMonths,
    attribution_window_days: windowDays,
    lead_auth: LeadAuth,
    api_token_masked: keyMask,
    api_key_url: about('The page on which an owner generates the key.', text),
  }),
);
export type CreatedProgram = z.output<typeof CreatedProgram>;

/** A program as the command line lists it. */
export const ListedProgram = named(
  'ListedProgram',
  z.strictObject({
    id,
    name: text,
    slug: text,
    domain: text,
    status,
    sandbox,
    commission: about('For example `20%`, `20% recurring (12 months)` or `$50`.', text),
    commission_type: CommissionType,
    commission_rate: rate,
    attribution_window_days: windowDays,
    lead_auth: LeadAuth,
    api_token_masked: keyMask,
    partners: about('The number of active partners.', count),
    created_at: time,
  }),
);
export type ListedProgram = z.output<typeof ListedProgram>;

export const ProgramHealth = named(
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
    lead_auth: LeadAuth,
    integration_verified: flag,
  }),
);
export type ProgramHealth = z.output<typeof ProgramHealth>;

/** The only reply that contains a program key. */
export const GeneratedKey = z.strictObject({
  api_key: z.string().check(z.regex(/^aff_/)),
  api_token_masked: keyMask,
});
export type GeneratedKey = z.output<typeof GeneratedKey>;
