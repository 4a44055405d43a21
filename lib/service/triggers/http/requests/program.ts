import * as z from 'zod/mini';
import type { CommissionType } from '#lib/domain/commission.ts';
import { originPatternOf } from '#lib/domain/origin.ts';
import { coversPublicSuffix } from '#lib/domain/public-suffix.ts';
import { badRequest, missingFields } from '#lib/domain/refusals.ts';
import { parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import type { NewProgram } from '#lib/service/use-cases/create-program.ts';
import { REQUIRED_FIELDS } from '#lib/wire/requests/field-texts.ts';
import { readAs } from '#lib/wire/requests/fields.ts';
import { programFields, programTexts } from '#lib/wire/requests/program.ts';

const HIGHEST_PERCENT = 100;

/**
 * Every origin in its canonical spelling, once; undefined when one of them is invalid, or would newly cover a public
 * suffix.
 */
function originsOf(sent: readonly string[], held: readonly string[]): string[] | undefined {
  const patterns = sent.map(originPatternOf);
  if (!patterns.every((pattern) => pattern !== undefined)) return undefined;
  const added = patterns.filter((pattern) => !held.includes(pattern));
  return added.some(coversPublicSuffix) ? undefined : [...new Set(patterns)];
}

// In the order in which the first wrong field is reported; the cap on percent types comes between the two.
const UpToRate = z.object({
  name: z.optional(programFields.name),
  domain: z.optional(programFields.domain),
  status: z.optional(programFields.status),
  commission_type: z.optional(programFields.commission_type),
  commission_rate: z.optional(programFields.commission_rate),
});

/** @param held the origins that the program allows already: saved again, they stay */
const afterRate = (held: readonly string[]) =>
  z.object({
    duration_months: z.optional(programFields.duration_months),
    attribution_window_days: z.optional(programFields.attribution_window_days),
    lead_auth: z.optional(programFields.lead_auth),
    allowed_origins: z.optional(
      readAs(programFields.allowed_origins, (sent) => originsOf(sent, held), programTexts.origins),
    ),
    hold_period_days: z.optional(programFields.hold_period_days),
    auto_approve: z.optional(programFields.auto_approve),
  });

interface Present {
  readonly commissionType?: CommissionType;
  readonly commissionRate?: number;
  readonly allowedOrigins?: readonly string[];
}

/**
 * The fields of a program that were sent.
 * @param present the program as it is: its commission policy, for the cap on percent types, and its origins
 * @throws Refusal
 */
export function programChange(json: Json, present: Present = {}): Partial<NewProgram> {
  const first = parseBody(UpToRate, json);
  const { commission_type: type = present.commissionType, commission_rate: rate = present.commissionRate } = first;
  // CLI init knows no cap: a program above it may still change everything else.
  const changesPolicy = first.commission_type !== undefined || first.commission_rate !== undefined;
  if (changesPolicy && type?.endsWith('percent') && rate !== undefined && rate > HIGHEST_PERCENT) {
    throw badRequest(programTexts.percent);
  }
  const rest = parseBody(afterRate(present.allowedOrigins ?? []), json);
  return withoutUndefined({
    name: first.name,
    domain: first.domain,
    status: first.status,
    commissionType: first.commission_type,
    commissionRate: first.commission_rate,
    durationMonths: rest.duration_months,
    attributionWindowDays: rest.attribution_window_days,
    leadAuth: rest.lead_auth,
    allowedOrigins: rest.allowed_origins,
    holdPeriodDays: rest.hold_period_days,
    autoApprove: rest.auto_approve,
  });
}

const AGENT_FIELDS = [
  'name',
  'domain',
  'commission_type',
  'commission_rate',
  'duration_months',
  'attribution_window_days',
  'lead_auth',
  'allowed_origins',
] as const;

/** The fields that an agent may change; others are ignored like unknown ones. @throws Refusal */
export const agentProgramChange = (json: Json, present: Present): Partial<NewProgram> =>
  programChange(Object.fromEntries(AGENT_FIELDS.map((field) => [field, json[field]])), present);

/** The fields of a new program. @throws Refusal */
export function newProgram(json: Json): NewProgram {
  if (REQUIRED_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_FIELDS);
  return programChange(json) as NewProgram;
}

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
