import { processorModeOf } from '#lib/service/programs/program/processor.ts';
import { activePartnerCount, type Program } from '#lib/service/programs/program/program.ts';
import { rulesOf } from '#lib/service/programs/terms/rules.ts';
import { termsReply } from '#lib/service/http/programs/terms-reply.ts';
import type { KeyedProgram } from '#lib/service/programs/keys/key-in-force.ts';
import type * as wire from '#lib/wire/programs/program.ts';
import { settingNames } from '#lib/wire/programs/settings/program-request.ts';
import { type Setting, settings } from '#lib/wire/programs/settings/program-settings-request.ts';

/** The settings that a program stores, with their defaults. */
const storedSettings = (program: Program): Record<string, unknown> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const { of, absent }: Setting = settings[name];
      return of === undefined ? [] : [[name, program[of] ?? absent]];
    }),
  );

/** A program as the dashboard and agents see it: with the masked key. */
export const programReply = ({ program, key, partnerTerms }: KeyedProgram): wire.Program => ({
  id: program.id,
  slug: program.slug,
  ...(storedSettings(program) as wire.StoredSettings),
  duration_months: program.durationMonths || null,
  tiers: termsReply(program).tiers,
  partner_terms: partnerTerms,
  partner_terms_version: program.partnerTermsVersion ?? null,
  rules: rulesOf(program),
  api_token_masked: program.keyMasked,
  key_rotated_at: program.keyRotatedAt ?? null,
  key_last_used_at: key?.lastUsedAt ?? null,
  processor: { connected: processorModeOf(program.processor) !== null, mode: processorModeOf(program.processor) },
  created_at: program.createdAt,
  updated_at: program.updatedAt,
});

/** A program as `init` returns it. */
export const createdProgramReply = (program: Program, dashboardUrl: string): wire.CreatedProgram => ({
  program_id: program.id,
  program_slug: program.slug,
  name: program.name,
  domain: program.domain,
  status: program.status,
  commission_type: program.commissionType,
  commission_rate: program.commissionRate,
  duration_months: program.durationMonths || null,
  attribution_window_days: program.attributionWindowDays,
  lead_auth: program.leadAuth,
  api_token_masked: program.keyMasked,
  api_key_url: `${dashboardUrl}/programs/${program.id}/settings#api-key`,
});

/** A program as the CLI lists it. */
export const listedProgramReply = (program: Program): wire.ListedProgram => ({
  id: program.id,
  name: program.name,
  slug: program.slug,
  domain: program.domain,
  status: program.status,
  sandbox: program.isSandbox ?? false,
  commission: commissionText(program),
  commission_type: program.commissionType,
  commission_rate: program.commissionRate,
  attribution_window_days: program.attributionWindowDays,
  lead_auth: program.leadAuth,
  api_token_masked: program.keyMasked,
  partners: activePartnerCount(program),
  created_at: program.createdAt,
});

/** The commission in words, for example `20%`, `$50 recurring`, `50 EUR recurring`, `20% recurring (12 months)`. */
export function commissionText(program: Program): string {
  const { commissionType, commissionRate, durationMonths } = program;
  const amount = commissionType.endsWith('percent') ? `${commissionRate}%` : fixedText(program);
  if (!commissionType.startsWith('recurring_')) return amount;
  return durationMonths ? `${amount} recurring (${durationMonths} months)` : `${amount} recurring`;
}

function fixedText(program: Program): string {
  const currency = program.currency;
  return currency === 'USD' ? `$${program.commissionRate}` : `${program.commissionRate} ${currency}`;
}
