import * as z from 'zod/mini';
import { commissionTypes } from '#lib/domain/commission.ts';
import { leadPolicies, programStatuses } from '#lib/domain/program.ts';
import { badRequest, notOneOf } from '#lib/domain/refusals.ts';
import { fieldTexts } from '#lib/service/triggers/http/requests/fields.ts';
import { integerFields, MOST_ORIGINS, programTexts } from '#lib/service/triggers/http/requests/program.ts';
import { ANY_TEXT } from '#lib/wire/error-bodies.ts';
import { about, CommissionType, rate, text } from '#lib/wire/fields.ts';
import { LeadAuth } from '#lib/wire/program.ts';

const integer = (field: keyof typeof integerFields) =>
  z.int().check(z.gte(integerFields[field].least), z.lte(integerFields[field].most));

export const name = z.string().check(z.minLength(1), z.maxLength(120));

const change = {
  name: z.nullish(name),
  domain: about('A host name, with a port where needed.', z.nullish(text)),
  commission_type: z.nullish(CommissionType),
  commission_rate: z.nullish(rate),
  duration_months: about('0 = lifetime.', z.nullish(integer('duration_months'))),
  attribution_window_days: z.nullish(integer('attribution_window_days')),
  lead_auth: z.nullish(LeadAuth),
  allowed_origins: about(
    'Origins whose pages may send clicks and leads, such as `https://app.example.com` or `https://*.example.com`. A wildcard directly below a public suffix, such as `https://*.com`, is refused.',
    z.nullish(z.array(text).check(z.maxLength(MOST_ORIGINS))),
  ),
};

/** Fields of a program that may change (contract 15.3). */
export const ProgramChange = z.object({
  ...change,
  status: z.nullish(z.enum(programStatuses)),
  hold_period_days: z.nullish(integer('hold_period_days')),
  auto_approve: z.nullish(z.boolean()),
});

export const NewProgram = z.extend(ProgramChange, {
  name,
  domain: text,
  commission_type: CommissionType,
  commission_rate: rate,
});

/** Those that an agent may change (contract 11). */
export const AgentProgramChange = z.object(change);

export const programFieldRefusals = [
  ...[fieldTexts.name, programTexts.domain, fieldTexts.rate, programTexts.percent].map(badRequest),
  ...[programTexts.origins, programTexts.autoApprove].map(badRequest),
  ...(Object.keys(integerFields) as (keyof typeof integerFields)[]).map((field) =>
    badRequest(programTexts.integer(field)),
  ),
  notOneOf('status', ANY_TEXT, programStatuses),
  notOneOf('commission_type', ANY_TEXT, commissionTypes),
  notOneOf('lead_auth', ANY_TEXT, leadPolicies),
];
