import * as z from 'zod/mini';
import { type CommissionType, commissionTypes, rateOf } from '#lib/domain/commission.ts';
import { hostOf, originPatternOf } from '#lib/domain/origin.ts';
import { leadPolicies, programStatuses } from '#lib/domain/program.ts';
import { coversPublicSuffix } from '#lib/domain/public-suffix.ts';
import { badRequest, missingFields } from '#lib/domain/refusals.ts';
import { chosenFrom, parseBody } from '#lib/service/triggers/http/body.ts';
import type { Json } from '#lib/service/triggers/http/request-context.ts';
import { fieldTexts, nameField, readAs, REQUIRED_FIELDS } from '#lib/service/triggers/http/requests/fields.ts';
import type { NewProgram } from '#lib/service/use-cases/create-program.ts';

export const MOST_ORIGINS = 20;
const HIGHEST_PERCENT = 100;

/** Bounds of the fields that are whole numbers, both included. */
export const integerFields = {
  duration_months: { least: 0, most: 120 },
  attribution_window_days: { least: 1, most: 365 },
  hold_period_days: { least: 0, most: 90 },
} as const;
type IntegerField = keyof typeof integerFields;

/** What is said of the first wrong field. */
export const programTexts = {
  domain: 'domain must be a host name such as example.com',
  percent: 'commission_rate must be at most 100 for percent types',
  origins: 'allowed_origins must be a list of up to 20 origins such as https://app.example.com',
  autoApprove: 'auto_approve must be a boolean',
  integer: (field: IntegerField) =>
    `${field} must be an integer from ${integerFields[field].least} to ${integerFields[field].most}`,
};

const integer = (field: IntegerField) => {
  const { least, most } = integerFields[field];
  const text = programTexts.integer(field);
  return z.number(text).check(z.refine((value) => Number.isInteger(value) && value >= least && value <= most, text));
};

const rateField = readAs(z.number(fieldTexts.rate), rateOf, fieldTexts.rate);

/** Every origin in its canonical spelling, once; undefined when one of them is none, or would newly cover a public suffix. */
function originsOf(sent: readonly string[], held: readonly string[]): string[] | undefined {
  const patterns = sent.map(originPatternOf);
  if (!patterns.every((pattern) => pattern !== undefined)) return undefined;
  const added = patterns.filter((pattern) => !held.includes(pattern));
  return added.some(coversPublicSuffix) ? undefined : [...new Set(patterns)];
}

// In the order in which the contract lists them; the cap on percent types comes between the two.
const UpToRate = z.object({
  name: z.optional(nameField),
  domain: z.optional(readAs(z.string(programTexts.domain), hostOf, programTexts.domain)),
  status: z.optional(chosenFrom('status', programStatuses)),
  commission_type: z.optional(chosenFrom('commission_type', commissionTypes)),
  commission_rate: z.optional(rateField),
});

/** @param held the origins that the program allows already: saved again, they stay */
const afterRate = (held: readonly string[]) =>
  z.object({
    duration_months: z.optional(integer('duration_months')),
    attribution_window_days: z.optional(integer('attribution_window_days')),
    lead_auth: z.optional(chosenFrom('lead_auth', leadPolicies)),
    allowed_origins: z.optional(
      readAs(
        z
          .array(z.string(programTexts.origins), programTexts.origins)
          .check(z.maxLength(MOST_ORIGINS, programTexts.origins)),
        (sent) => originsOf(sent, held),
        programTexts.origins,
      ),
    ),
    hold_period_days: z.optional(integer('hold_period_days')),
    auto_approve: z.optional(z.boolean(programTexts.autoApprove)),
  });

interface Present {
  readonly commissionType?: CommissionType;
  readonly commissionRate?: number;
  readonly allowedOrigins?: readonly string[];
}

/**
 * The fields of a program that were sent (contract 15.3).
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

/** The fields that an agent may change (contract 11); others are ignored like unknown ones. @throws Refusal */
export const agentProgramChange = (json: Json, present: Present): Partial<NewProgram> =>
  programChange(Object.fromEntries(AGENT_FIELDS.map((field) => [field, json[field]])), present);

/** The fields of a new program. @throws Refusal */
export function newProgram(json: Json): NewProgram {
  if (REQUIRED_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_FIELDS);
  return programChange(json) as NewProgram;
}

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
