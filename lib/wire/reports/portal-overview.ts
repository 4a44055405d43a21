import * as z from 'zod/mini';
import { PartnerStatus } from '#lib/wire/partners/partner.ts';
import { BrandInList } from '#lib/wire/programs/brand/brand.ts';
import { about, balanceCents, byCurrency, cents, count, day, id, list, named, text } from '#lib/wire/words/fields.ts';

const OverviewAmounts = named(
  'OverviewAmounts',
  z.strictObject({
    earned_cents: about('Commissions of this month, less what refunds and rejections took.', balanceCents),
    pending_cents: balanceCents,
    in_review_cents: about('What waits until the program accepts or rejects it.', balanceCents),
    ready_cents: about('What a payout would pay now, regardless of its minimum.', cents),
    held_back_cents: about('What it would pay if payouts were not held.', cents),
    paid_cents: about('The sum of all payout lines but failed and void ones.', balanceCents),
    on_the_way_cents: about('The part of it whose line is `recorded` or `sent`.', cents),
  }),
  'Earned this month, and where the money is now.',
);
export type OverviewAmounts = z.output<typeof OverviewAmounts>;

const ProgramFigures = named(
  'ProgramFigures',
  z.strictObject({
    program_id: id,
    status: PartnerStatus,
    brand: BrandInList,
    link: about(
      "The partner's oldest active link. Null without one, and once the partnership has ended.",
      z.nullable(z.strictObject({ short_link: text, url: text })),
    ),
    clicks: count,
    sales: count,
    amounts: byCurrency(OverviewAmounts),
    next_payout_on: about(
      'The next day on which the brand plans to pay. Null if the partnership has ended and nothing is owed.',
      z.nullable(day),
    ),
  }),
  'A program with the clicks and sales that it brought this month.',
);
export type ProgramFigures = z.output<typeof ProgramFigures>;

export const PortalOverview = named(
  'PortalOverview',
  z.strictObject({
    month: about('The month of the figures, in UTC.', z.string().check(z.regex(/^\d{4}-\d{2}$/))),
    programs: about(
      'Programs in which the account is or was a partner: active ones first, newest first, at most 50.',
      list(ProgramFigures),
    ),
    totals: about('Sums of up to 1,000 programs. Sandbox programs are left out.', byCurrency(OverviewAmounts)),
    next_payout_on: about('The earliest day of all programs but sandboxes.', z.nullable(day)),
    complete: about('Whether `programs` has all of them.', z.boolean()),
  }),
  'All programs of a partner at a glance.',
);
export type PortalOverview = z.output<typeof PortalOverview>;
