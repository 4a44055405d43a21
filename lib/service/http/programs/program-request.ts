import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Currencies } from '#lib/service/ground/values/currency.ts';
import { originPatternOf } from '#lib/service/ground/addresses/origin.ts';
import { coversPublicSuffix } from '#lib/service/ground/addresses/public-suffix.ts';
import { badRequest, missingFields } from '#lib/service/ground/values/refusals.ts';
import type { Values } from '#lib/service/ground/changes/seen.ts';
import type { Rules } from '#lib/service/programs/terms/rules.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { parseBody } from '#lib/service/http/messages/body.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { seenIn } from '#lib/service/http/messages/seen-request.ts';
import { checkPercent, checkTiers, tiersOf } from '#lib/service/http/programs/terms-request.ts';
import type { NewProgram } from '#lib/service/programs/program/create-program.ts';
import { TERMS_FIELDS } from '#lib/wire/programs/terms-request.ts';
import { REQUIRED_FIELDS } from '#lib/wire/words/field-texts-request.ts';
import { readAs } from '#lib/wire/words/fields-request.ts';
import {
  agentFields,
  currencyField,
  programFields,
  programTexts,
  settingNames,
} from '#lib/wire/programs/settings/program-request.ts';
import { type Setting, type SettingName, settings } from '#lib/wire/programs/settings/program-settings-request.ts';

/**
 * Returns every origin once, in canonical spelling; undefined when an origin is invalid, or allows all names below a
 * public suffix and was not in the program's list before.
 */
function originsOf(sent: readonly string[], held: readonly string[]): string[] | undefined {
  const patterns = sent.map(originPatternOf);
  if (!patterns.every((pattern) => pattern !== undefined)) return undefined;
  const added = patterns.filter((pattern) => !held.includes(pattern));
  return added.some(coversPublicSuffix) ? undefined : [...new Set(patterns)];
}

const { name, domain, status, commission_type, commission_rate, ...others } = programFields;

// The fields of `UpToRate` are checked first, then the limit for percentages, then all other fields. Within each
// schema, wrong fields are reported in the order in which the schema lists them.
const UpToRate = z.partial(z.object({ name, domain, status, commission_type, commission_rate }));

/**
 * The fields that are checked after the limit for percentages.
 * @param present the program as it is; its present origins and currency are accepted again even if they would now be
 * refused
 */
const afterRate = (currencies: Currencies, present: Present | undefined) =>
  z.partial(
    z.object({
      ...others,
      allowed_origins: readAs(
        others.allowed_origins,
        (sent) => originsOf(sent, present?.allowedOrigins ?? []),
        settings.allowed_origins.text,
      ),
      member_approval_cents: z.nullable(others.member_approval_cents),
      currency: currencyField(currencies, present && present.currency),
    }),
  );

type Present = Partial<Program>;

/** The program's rules after a change. Rules that were not sent stay unchanged. */
function changedRules(present: Partial<Rules> | undefined, sent: object): Partial<Rules> | undefined {
  const changed = Object.entries(sent).filter(([, action]) => typeof action === 'string');
  return changed.length === 0 ? undefined : { ...present, ...Object.fromEntries(changed) };
}

/**
 * The fields of a program that were sent.
 * @param currencies of the installation
 * @param present the stored program. Its commission policy decides about the limit for percentages, and its origins and
 * its currency are accepted again
 * @throws Refusal
 */
export function programChange(json: Json, currencies: Currencies, present?: Present): Partial<NewProgram> {
  const first = parseBody(UpToRate, json);
  const { commission_type: type = present?.commissionType, commission_rate: rate = present?.commissionRate } = first;
  // The limit is checked only when the commission policy changes. `init` does not check it, and a program above the
  // limit may still change everything else.
  const changesPolicy = first.commission_type !== undefined || first.commission_rate !== undefined;
  if (changesPolicy) checkPercent(type, rate);
  const rest = parseBody(afterRate(currencies, present), json);
  if (present && rest.sandbox === !(present.isSandbox ?? false)) throw badRequest(programTexts.sandboxStays);
  const tiers = rest.tiers && tiersOf(rest.tiers);
  checkTiers(type, tiers ?? present?.tiers);
  const rules = rest.rules && changedRules(present?.rules, rest.rules);
  const sent: { readonly [Name in SettingName]?: unknown } = { ...first, ...rest, tiers, rules };
  const stored = settingNames.flatMap((setting) => {
    const { of, absent }: Setting = settings[setting];
    const value = sent[setting];
    if (of === undefined || value === undefined || (present && setting === 'sandbox')) return [];
    // If a value is sent that already applies as the default, this is no change, and the audit list gets no entry.
    const isDefault = present && present[of] === undefined && isDeepStrictEqual(value, absent);
    return isDefault ? [] : [[of, value ?? undefined]];
  });
  const changed = Object.fromEntries(stored) as Partial<NewProgram>;
  return rest.partner_terms === undefined ? changed : { ...changed, partnerTerms: rest.partner_terms };
}

/** The values that the caller last read for the fields that it changes. @throws Refusal */
export const seenProgram = (json: Json): Values | undefined => seenIn(json, settingNames);

/** The values that an agent last read for the fields that it changes. @throws Refusal */
export const seenByAgent = (json: Json): Values | undefined => seenIn(json, agentFields);

/** The fields that an agent may change. All others are ignored, as unknown fields are. @throws Refusal */
export const agentProgramChange = (json: Json, currencies: Currencies, present: Present): Partial<NewProgram> =>
  programChange(Object.fromEntries(agentFields.map((field) => [field, json[field]])), currencies, present);

/** The fields of a program's own terms that were sent. All other fields are ignored. @throws Refusal */
export const programTermsChange = (json: Json, currencies: Currencies, present: Present): Partial<NewProgram> =>
  programChange(Object.fromEntries(TERMS_FIELDS.map((field) => [field, json[field]])), currencies, present);

/** The fields of a new program. @throws Refusal */
export function newProgram(json: Json, currencies: Currencies): NewProgram {
  if (REQUIRED_FIELDS.some((field) => json[field] === undefined)) throw missingFields(REQUIRED_FIELDS);
  return programChange(json, currencies) as NewProgram;
}
