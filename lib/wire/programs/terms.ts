import * as z from 'zod/mini';
import { MOST_TIERS, termsSources } from '#lib/service/programs/terms/terms.ts';
import {
  about,
  cents,
  CommissionType,
  count,
  id,
  named,
  optionalText,
  rate,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { HIGHEST_PERCENT } from '#lib/wire/programs/settings/program-settings-request.ts';

const version = {
  version: about('Unique in the program; every change of any terms makes a higher one.', count),
  from: z.enum(termsSources),
  name: about('Of the program or group at that time; of a partner, the present one.', optionalText),
};

/** The version of the terms by which something is paid. */
export const TermsVersion = named(
  'TermsVersion',
  z.strictObject(version),
  'Which terms: those of the program, of a group, or of a partner.',
);
export type TermsVersion = z.output<typeof TermsVersion>;

export const durationMonths = about('Months for which recurring types pay; null = lifetime.', z.nullable(z.int()));
export const leadCommission = about("What a settled lead earns, in the program's currency.", cents);

export const tiers = about(
  'Of percent types: the rate by the number of sales of the last closed month, less the sales that were fully refunded in it.',
  z.array(z.strictObject({ from_sales: count, rate })),
);

/** Tiers in a request; null and a missing field change nothing. */
export const sentTiers = about(
  'Of percent types only.',
  z.nullish(
    z
      .array(z.object({ from_sales: z.int().check(z.gte(1)), rate: z.number().check(z.gt(0), z.lte(HIGHEST_PERCENT)) }))
      .check(z.maxLength(MOST_TIERS)),
  ),
);

const terms = {
  commission_type: CommissionType,
  commission_rate: rate,
  duration_months: durationMonths,
  hold_period_days: z.int(),
  lead_commission_cents: leadCommission,
  tiers,
};

export const Terms = named('Terms', z.strictObject(terms), 'What the sales and leads of partners earn.');
export type Terms = z.output<typeof Terms>;

export const TermsInForce = named(
  'TermsInForce',
  z.strictObject({ ...terms, ...version }),
  'Personal terms, else those of the group, else those of the program: each as a whole.',
);

export const Group = named(
  'Group',
  z.strictObject({
    id,
    name: text,
    terms: Terms,
    partners: about('How many are in it, removed ones included.', count),
    created_at: time,
  }),
  'Partners of a program with terms in common.',
);
export type Group = z.output<typeof Group>;
