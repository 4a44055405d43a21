import * as z from 'zod/mini';
import { commissionTypes, rateOf } from '#lib/domain/commission.ts';
import { hostOf } from '#lib/domain/origin.ts';
import { leadPolicies, programStatuses } from '#lib/domain/program.ts';
import { integer } from '#lib/wire/requests/bounds.ts';
import { fieldTexts } from '#lib/wire/requests/field-texts.ts';
import { chosenFrom, nameField, readAs } from '#lib/wire/requests/fields.ts';

export const MOST_ORIGINS = 20;

/** Bounds of the fields that are whole numbers, both included. */
const integers = {
  duration_months: { minimum: 0, maximum: 120 },
  attribution_window_days: { minimum: 1, maximum: 365 },
  hold_period_days: { minimum: 0, maximum: 90 },
} as const;
type IntegerField = keyof typeof integers;

const integerText = (field: IntegerField) =>
  `${field} must be an integer from ${integers[field].minimum} to ${integers[field].maximum}`;
const integerField = (field: IntegerField) => integer(integers[field], integerText(field));

/** Messages for the first wrong field. */
export const programTexts = {
  name: fieldTexts.name,
  domain: 'domain must be a host name such as example.com',
  rate: fieldTexts.rate,
  percent: 'commission_rate must be at most 100 for percent types',
  origins: `allowed_origins must be a list of up to ${MOST_ORIGINS} origins such as https://app.example.com`,
  autoApprove: 'auto_approve must be a boolean',
  durationMonths: integerText('duration_months'),
  attributionWindowDays: integerText('attribution_window_days'),
  holdPeriodDays: integerText('hold_period_days'),
};

export const programFields = {
  name: nameField,
  domain: readAs(z.string(programTexts.domain), hostOf, programTexts.domain),
  status: chosenFrom('status', programStatuses),
  commission_type: chosenFrom('commission_type', commissionTypes),
  commission_rate: readAs(z.number(programTexts.rate), rateOf, programTexts.rate),
  duration_months: integerField('duration_months'),
  attribution_window_days: integerField('attribution_window_days'),
  lead_auth: chosenFrom('lead_auth', leadPolicies),
  /** As sent: which origins may be added depends on the program. */
  allowed_origins: z
    .array(z.string(programTexts.origins), programTexts.origins)
    .check(z.maxLength(MOST_ORIGINS, programTexts.origins)),
  hold_period_days: integerField('hold_period_days'),
  auto_approve: z.boolean(programTexts.autoApprove),
};
