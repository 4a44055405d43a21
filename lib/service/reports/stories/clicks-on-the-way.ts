import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import type { ClickOnTheWay } from '#lib/service/reports/stories/timeline.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import type { LaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';

/** Maximum number of clicks that are shown, oldest first. A person may click any number of times. */
export const MOST_CLICKS = 50;

/**
 * The click that created a customer; undefined if a code created it.
 * @param partnerId the partner credited with the customer
 */
export function firstClick(customer: Customer, partnerId: number | undefined): ClickOnTheWay[] {
  const { id, firstClickAt: at, shortLink, code } = customer;
  if (shortLink === undefined) return [];
  return [{ id, at, shortLink, partnerId: code === undefined ? partnerId : customer.formerPartnerId, isFirst: true }];
}

export const laterClick = ({ id, createdAt, shortLink, partnerId }: LaterClick): ClickOnTheWay => ({
  id,
  at: createdAt,
  shortLink,
  partnerId,
  isFirst: false,
});

export const withPartnerName = async (
  { table }: Deps,
  programId: number,
  click: ClickOnTheWay,
): Promise<ClickOnTheWay> => ({
  ...click,
  partnerName: click.partnerId === undefined ? undefined : (await findPartner(table, programId, click.partnerId))?.name,
});
