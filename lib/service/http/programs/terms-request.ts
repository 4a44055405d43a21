import * as z from 'zod/mini';
import type { Group } from '#lib/service/programs/terms/agreements.ts';
import { badRequest, missingFields } from '#lib/service/ground/values/refusals.ts';
import { type CommissionType, DEFAULT_HOLD_DAYS, type Terms, type Tier } from '#lib/service/programs/terms/terms.ts';
import { parseBody, withoutNulls } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { nameField } from '#lib/wire/words/fields-request.ts';
import { programFields, programTexts } from '#lib/wire/programs/settings/program-request.ts';
import { HIGHEST_PERCENT } from '#lib/wire/programs/settings/program-settings-request.ts';
import { REQUIRED_OF_GROUP, REQUIRED_OF_TERMS, TERMS_INVALID } from '#lib/wire/programs/terms-request.ts';

const { commission_type, commission_rate, duration_months, hold_period_days, lead_commission_cents, tiers } =
  programFields;

// The fields of `Policy` are checked first, then the limit for percentages, then the fields of `AfterPolicy`. Within
// each schema, wrong fields are reported in this order.
const Policy = z.object({ commission_type, commission_rate });
const AfterPolicy = z.object({
  duration_months: z.optional(duration_months),
  hold_period_days: z.optional(hold_period_days),
  lead_commission_cents: z.optional(lead_commission_cents),
  tiers: z.optional(tiers),
});

/** The terms in a request. A missing or null field gets the default of a new program. @throws Refusal */
export function termsIn(sent: unknown): Terms {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw badRequest(TERMS_INVALID);
  const json = withoutNulls(sent);
  if (REQUIRED_OF_TERMS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_OF_TERMS);
  const { commission_type: commissionType, commission_rate: commissionRate } = parseBody(Policy, json);
  checkPercent(commissionType, commissionRate);
  const rest = parseBody(AfterPolicy, json);
  const steps = rest.tiers && tiersOf(rest.tiers);
  checkTiers(commissionType, steps);
  return {
    commissionType,
    commissionRate,
    durationMonths: rest.duration_months,
    holdPeriodDays: rest.hold_period_days ?? DEFAULT_HOLD_DAYS,
    leadCommissionCents: rest.lead_commission_cents,
    tiers: steps,
  };
}

/** Checks the rate of a percentage commission. @throws Refusal for a percentage above the limit */
export function checkPercent(type: CommissionType | undefined, rate: number | undefined): void {
  if (type?.endsWith('percent') && rate !== undefined && rate > HIGHEST_PERCENT) throw badRequest(programTexts.percent);
}

export const tiersOf = (sent: readonly { readonly from_sales: number; readonly rate: number }[]): Tier[] =>
  sent.map(({ from_sales: fromSales, rate }) => ({ fromSales, rate }));

/** Checks that tiers are only used with percentages. @throws Refusal for tiers with a fixed commission */
export function checkTiers(type: CommissionType | undefined, steps: readonly Tier[] = []): void {
  if (steps.length > 0 && !type?.endsWith('percent')) throw badRequest(programTexts.tiersOfFixed);
}

/** The fields of a new group. @throws Refusal */
export function newGroup(json: Json): Pick<Group, 'name' | 'terms'> {
  if (REQUIRED_OF_GROUP.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_OF_GROUP);
  return groupChange(json) as Pick<Group, 'name' | 'terms'>;
}

/** The change of a group. @throws Refusal */
export function groupChange(json: Json): Partial<Pick<Group, 'name' | 'terms'>> {
  const { name } = parseBody(z.object({ name: z.optional(nameField) }), json);
  return { name, terms: json.terms === undefined ? undefined : termsIn(json.terms) };
}
