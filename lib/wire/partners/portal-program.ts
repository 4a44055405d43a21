import * as z from 'zod/mini';
import {
  about,
  cents,
  count,
  currency,
  day,
  id,
  named,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/words/fields.ts';
import { BrandInList, BrandShown } from '#lib/wire/programs/brand/brand.ts';
import { PartnerStatus } from '#lib/wire/partners/partner.ts';
import { Account } from '#lib/wire/people/people.ts';
import { sandbox } from '#lib/wire/programs/settings/program-settings.ts';
import { Terms, TermsInForce } from '#lib/wire/programs/terms.ts';

const version = z.int().check(z.positive());

/** The newest partner terms of a program. */
const PartnerTerms = named(
  'PartnerTerms',
  z.strictObject({ version, text }),
  'The partner terms, which a person accepts to become a partner. Every change of the text creates a version.',
);

export const JoinedProgram = named(
  'JoinedProgram',
  z.strictObject({
    program_id: id,
    name: text,
    domain: text,
    sandbox,
    status: about(
      '`invited` includes partners whom the program added or restored and who have not accepted.',
      PartnerStatus,
    ),
    joined_at: optionalTime,
    left_at: about('When the person left or declined. Null also if the program ended the partnership.', optionalTime),
    invited_at: optionalTime,
    rejection_reason: optionalText,
    may_apply_on: about('The day from which a rejected person may apply again.', z.nullable(day)),
    terms_to_accept: about('The version that the person must accept before making any change.', z.nullable(version)),
    brand: BrandInList,
  }),
  'A program in which the account is listed as a partner.',
);
export type JoinedProgram = z.output<typeof JoinedProgram>;

/** The signed-in person, and the programs in which they are a partner. */
export const PortalMe = z.strictObject({
  account: Account,
  mail: about('Whether the person receives mails as a partner.', z.boolean()),
  programs: z.array(JoinedProgram).check(z.maxLength(1_000)),
});
export type PortalMe = z.output<typeof PortalMe>;

export const PortalProgram = named(
  'PortalProgram',
  z.strictObject({
    id,
    name: text,
    domain: text,
    sandbox,
    status: PartnerStatus,
    terms_in_force: TermsInForce,
    window_days: about('The maximum number of days between click and signup.', z.int()),
    minimum_payout_cents: cents,
    next_payout_on: about('The next day on which the brand plans to pay, today included.', z.nullable(day)),
    currency,
    links_left: about('How many more links the partner can create.', count),
    terms: z.nullable(z.extend(PartnerTerms, { accepted_at: z.nullable(time) })),
    brand: BrandShown,
    assets: z.array(z.never()),
  }),
  'A program as its partner sees it.',
);
export type PortalProgram = z.output<typeof PortalProgram>;

export const ProgramToJoin = named(
  'ProgramToJoin',
  z.strictObject({
    program_id: id,
    name: text,
    domain: text,
    sandbox,
    commission: about('For example `20%`, `20% recurring (12 months)` or `$50`.', text),
    terms_offered: Terms,
    currency,
    window_days: z.int(),
    hold_period_days: z.int(),
    join: z.enum(['apply', 'open']),
    terms: z.nullable(PartnerTerms),
    brand: BrandShown,
  }),
  'A program that a person can join, or apply to join.',
);
export type ProgramToJoin = z.output<typeof ProgramToJoin>;

export const Joined = z.strictObject({ status: z.enum(['applied', 'active']) });
export type Joined = z.output<typeof Joined>;

export const Left = z.strictObject({ left: z.literal(true) });
export type Left = z.output<typeof Left>;

export const Closed = z.strictObject({ closed: z.literal(true) });
export type Closed = z.output<typeof Closed>;

export const MailChoice = z.strictObject({ mail: z.boolean() });
export type MailChoice = z.output<typeof MailChoice>;
