import * as z from 'zod/mini';
import { MOST_TIERS, termsSources } from '#lib/service/programs/terms/terms.ts';
import {
  about,
  cents,
  CommissionType,
  count,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  rate,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { HIGHEST_PERCENT } from '#lib/wire/programs/settings/program-settings-request.ts';

const version = {
  version: about('Unique in the program. Every change of any terms creates a higher version.', count),
  from: z.enum(termsSources),
  name: about('The name of the program or group at that time, or the present one of the partner.', optionalText),
};

/** The version of the terms by which something is paid. */
export const TermsVersion = named(
  'TermsVersion',
  z.strictObject(version),
  'Whose terms apply: those of the program, of a group or of a partner.',
);
export type TermsVersion = z.output<typeof TermsVersion>;

export const durationMonths = about(
  'The number of months for which recurring types pay. Null means lifetime.',
  z.nullable(z.int()),
);
export const leadCommission = about("The commission of a settled lead, in the program's currency.", cents);

export const tiers = about(
  'Only for percent types. The rate depends on the number of sales of the last complete month, without those that were fully refunded in it.',
  z.array(z.strictObject({ from_sales: count, rate })),
);

/** Tiers in a request; null and a missing field change nothing. */
export const sentTiers = z.nullish(
  named(
    'SentTiers',
    z
      .array(z.object({ from_sales: z.int().check(z.gte(1)), rate: z.number().check(z.gt(0), z.lte(HIGHEST_PERCENT)) }))
      .check(z.maxLength(MOST_TIERS)),
    'Only for percent types.',
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

export const Terms = named('Terms', z.strictObject(terms), 'The terms by which partners are paid for sales and leads.');
export type Terms = z.output<typeof Terms>;

export const TermsInForce = named(
  'TermsInForce',
  z.strictObject({ ...terms, ...version }),
  'The terms that apply: personal terms, otherwise those of the group, otherwise those of the program. They are never combined.',
);

export const Group = named(
  'Group',
  z.strictObject({
    id,
    name: text,
    terms: Terms,
    partners: about('The number of partners in the group, including removed ones.', count),
    created_at: time,
  }),
  'A group of partners with common terms.',
);
export type Group = z.output<typeof Group>;

export const ListedTerms = named(
  'ListedTerms',
  z.strictObject({
    ...version,
    id: about(
      'The group or partner. Null for the program, and for terms of others that ended before ids were stored.',
      optionalId,
    ),
    terms: Terms,
    status: z.enum(['in_force', 'past']),
    effective_at: about('Null for terms from before this was recorded.', optionalTime),
    ended_at: about('Null for terms in force, and for terms that ended before this was recorded.', optionalTime),
    created_by: about(
      'The author, with the name of that time and the present address. Null if no person made these terms, or before this was recorded.',
      z.nullable(z.strictObject({ name: text, email: optionalText })),
    ),
  }),
  'A version of the terms of the program, of a group or of a partner.',
);
export type ListedTerms = z.output<typeof ListedTerms>;

export const TermsPreview = named(
  'TermsPreview',
  z.strictObject({
    changes: about(
      'The fields that would change, with their present and their new value.',
      z.record(text, z.strictObject({ from: z.unknown(), to: z.unknown() })),
    ),
    partners: about("The number of active partners who are paid by the program's own terms.", count),
    groups_unaffected: about('The number of groups, each of which has its own terms.', count),
    partners_unaffected: about(
      'The number of all other active partners: members of groups, and partners with personal terms.',
      count,
    ),
  }),
  "What a change of the program's own terms would do.",
);
export type TermsPreview = z.output<typeof TermsPreview>;
