import * as z from 'zod/mini';
import { commissionTypes } from '#lib/domain/commission.ts';
import { leadPolicies, programStatuses } from '#lib/domain/program.ts';
import { badRequest, notOneOf } from '#lib/domain/refusals.ts';
import { ANY_TEXT } from '#lib/wire/openapi/error-bodies.ts';
import { about, CommissionType, rate, text } from '#lib/wire/fields.ts';
import { LeadAuth } from '#lib/wire/program.ts';
import { MOST_ORIGINS, programFields, programTexts } from '#lib/wire/requests/program.ts';

const change = {
  name: z.nullish(programFields.name),
  domain: about('A host name, with a port where needed.', z.nullish(text)),
  commission_type: z.nullish(CommissionType),
  commission_rate: z.nullish(rate),
  duration_months: about('0 = lifetime.', z.nullish(programFields.duration_months)),
  attribution_window_days: z.nullish(programFields.attribution_window_days),
  lead_auth: z.nullish(LeadAuth),
  allowed_origins: about(
    'Origins whose pages may send clicks and leads, such as `https://app.example.com` or `https://*.example.com`. A wildcard directly below a public suffix, such as `https://*.com`, is refused.',
    z.nullish(z.array(text).check(z.maxLength(MOST_ORIGINS))),
  ),
};

/** Fields of a program that may change. */
export const ProgramChange = z.object({
  ...change,
  status: z.nullish(programFields.status),
  hold_period_days: z.nullish(programFields.hold_period_days),
  auto_approve: z.nullish(programFields.auto_approve),
});

export const NewProgram = z.extend(ProgramChange, {
  name: programFields.name,
  domain: text,
  commission_type: CommissionType,
  commission_rate: rate,
});

/** Those that an agent may change. */
export const AgentProgramChange = z.object(change);

export const programFieldRefusals = [
  ...Object.values(programTexts).map(badRequest),
  notOneOf('status', ANY_TEXT, programStatuses),
  notOneOf('commission_type', ANY_TEXT, commissionTypes),
  notOneOf('lead_auth', ANY_TEXT, leadPolicies),
];
