import type { Currency } from '#lib/service/ground/values/currency.ts';
import { referralUrl } from '#lib/service/http/partners/partner-reply.ts';
import { brandInListReply } from '#lib/service/http/programs/brand-reply.ts';
import type { OverviewAmounts } from '#lib/service/reports/exports/overview-amounts.ts';
import type { OwnOverview, ProgramFigures } from '#lib/service/reports/exports/own-overview.ts';
import type * as wire from '#lib/wire/reports/portal-overview.ts';

export const overviewReply = ({
  month,
  programs,
  totals,
  nextPayoutOn,
  isComplete,
}: OwnOverview): wire.PortalOverview => ({
  month,
  programs: programs.map(programReply),
  totals: amountsReply(totals),
  next_payout_on: nextPayoutOn ?? null,
  complete: isComplete,
});

const programReply = ({ program, status, brand, link, ...figures }: ProgramFigures): wire.ProgramFigures => ({
  program_id: program.id,
  status,
  brand: brandInListReply(brand),
  link: link ? { short_link: link.shortLink, url: referralUrl(link) } : null,
  clicks: figures.clicks,
  sales: figures.sales,
  amounts: amountsReply(figures.amounts),
  next_payout_on: figures.nextPayoutOn ?? null,
});

const amountsReply = (
  amounts: Readonly<Record<Currency, OverviewAmounts>>,
): Readonly<Record<Currency, wire.OverviewAmounts>> =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [
      currency,
      {
        earned_cents: amount.earnedCents,
        pending_cents: amount.pendingCents,
        in_review_cents: amount.inReviewCents,
        ready_cents: amount.readyCents,
        held_back_cents: amount.heldBackCents,
        paid_cents: amount.paidCents,
        on_the_way_cents: amount.onTheWayCents,
      },
    ]),
  );
