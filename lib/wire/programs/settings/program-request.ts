import * as z from 'zod/mini';
import { type Currencies, type Currency, currencyCode } from '#lib/service/ground/values/currency.ts';
import { notOneOfText } from '#lib/service/ground/values/refusals.ts';
import { type SettingName, settings } from '#lib/wire/programs/settings/program-settings-request.ts';

type Fields = { readonly [Name in SettingName]: (typeof settings)[Name]['sent'] };

export const settingNames = Object.keys(settings) as SettingName[];

/** The schema of each setting in a request. */
export const programFields = Object.fromEntries(settingNames.map((name) => [name, settings[name].sent])) as Fields;

/** Names of the settings that only some callers may change. */
export const ownerFields = settingNames.filter((name) => settings[name].by === 'owner');
export const agentFields = settingNames.filter((name) => 'agents' in settings[name]);
/** Settings that the caller can remove by sending null. */
export const clearableFields = settingNames.filter((name) => 'isClearable' in settings[name]);

/** Messages about several fields, or about the existing values of a program. */
export const programTexts = {
  percent: 'commission_rate must be at most 100 for percent types',
  tiersOfFixed: 'tiers need a percent type',
  sandboxStays: 'sandbox cannot be changed',
};

/**
 * One of the installation's currencies, in upper or lower case.
 * @param held the program's present currency, which is accepted even if the installation no longer has it
 */
export const currencyField = (currencies: Currencies, held: Currency = currencies[0]) =>
  z.pipe(
    z.transform((sent: unknown) => (typeof sent === 'string' ? currencyCode(sent) : sent)),
    z.enum([...currencies, held], { error: ({ input }) => notOneOfText('currency', input, currencies) }),
  );
