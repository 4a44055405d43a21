import { rateOf } from '#lib/service/programs/terms/commission-amount.ts';
import { commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { LONGEST_NAME, nameOf } from '#lib/service/ground/values/name.ts';
import { hostOf, strippedDomain } from '#lib/service/ground/addresses/origin.ts';
import { badRequest, missingFields, notOneOf } from '#lib/service/ground/values/refusals.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';
import { fieldTexts, REQUIRED_FIELDS } from '#lib/wire/words/field-texts-request.ts';

const LONGEST_DOMAIN = 253;

const isMissing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');
const isText = (value: unknown): value is string => typeof value === 'string' && !isMissing(value);

const integerWithin = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;

/** The `advertiser_id` of the body; undefined if it is absent, 0 if it is invalid. */
export const namedAdvertiser = ({ advertiser_id: value }: Json): number | undefined =>
  value === undefined ? undefined : (numericIdOf(value) ?? 0);

/** The body of `init`. Only four fields are checked; invalid values of all others are ignored. @throws Refusal */
export function initBody(json: Json): NewProgram {
  const { name, domain, commission_type: type, commission_rate: sentRate } = json;
  if (!isText(name) || !isText(domain) || !strippedDomain(domain) || isMissing(type) || sentRate === undefined) {
    throw missingFields(REQUIRED_FIELDS);
  }
  const kept = nameOf(name.trim().slice(0, LONGEST_NAME).toWellFormed());
  if (kept === undefined) throw badRequest(fieldTexts.name);
  const commissionType = commissionTypes.find((known) => known === type);
  if (!commissionType) {
    throw notOneOf('commission_type', type, commissionTypes);
  }
  const commissionRate = typeof sentRate === 'number' ? rateOf(sentRate) : undefined;
  if (commissionRate === undefined) throw badRequest(fieldTexts.rate);
  const windowDays = integerWithin(json.attribution_window_days, 1, 365) ?? integerWithin(json.cookie_duration, 1, 365);
  return {
    name: kept,
    domain: hostOf(domain) ?? strippedDomain(domain).slice(0, LONGEST_DOMAIN).toWellFormed(),
    commissionType,
    commissionRate,
    durationMonths: integerWithin(json.duration_months, 0, 120),
    ...(windowDays !== undefined && { attributionWindowDays: windowDays }),
    ...(json.sandbox === true && { isSandbox: true }),
  };
}
