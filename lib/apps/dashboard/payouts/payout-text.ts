import { countOf, moneysText, plainMoneyText } from '#lib/apps/web/format.ts';
import type { Member } from '#lib/wire/people/people.ts';
import type { ListedPayout, Payout } from '#lib/wire/earnings/payout.ts';

type Items = ListedPayout['items'];

/** Counts the partners. Each item pays one partner in one currency, so a partner may have several. */
export const partnerCount = (items: Items): number => new Set(items.map(({ partner_id: id }) => id)).size;

interface Sums {
  readonly totals: ListedPayout['totals'];
  readonly partners: number;
}

/** Describes a payout: `€56.00 and $1,234.00 to 5 partners`. */
export const payoutText = ({ totals, partners }: Sums): string =>
  `${moneysText(totals)} to ${countOf(partners, 'partner')}`;

/** Whether a payout contains what its preview showed. Of a large payout, only the totals can be compared. */
export const isAsShown = (payout: Payout, shown: Pick<ListedPayout, 'totals' | 'items'>): boolean =>
  moneysText(payout.totals) === moneysText(shown.totals) &&
  (payout.items.length === 0 || amountsOf(payout.items) === amountsOf(shown.items));

const amountsOf = (items: Items): string =>
  JSON.stringify(items.map((item) => [item.partner_id, item.currency, item.amount_cents]));

/**
 * Lists the payments as text, with one line per item. Lines begin with the amount: a name at the beginning could be
 * read as a formula by a spreadsheet.
 */
export function bankText(items: Items): string {
  const partners = Map.groupBy(items, ({ partner_id: id }) => id);
  return [...partners.values()].map((own) => `${own.map(plainAmount).join(' + ')} to ${payeeText(own[0]!)}`).join('\n');
}

const plainAmount = ({ amount_cents: cents, currency }: Items[number]): string => plainMoneyText(cents, currency);

function payeeText({ partner_id: id, partner_name: name, partner_email: email }: Items[number]): string {
  const payee = name === null ? `Partner ${id}` : inOneLine(name);
  return email === null ? payee : `${payee} (${email})`;
}

/**
 * Replaces characters in a name that would change the text: a line break would look like another payment, and a change
 * of text direction would make the rest unreadable.
 */
const inOneLine = (name: string): string =>
  name
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .trim();

const ACCOUNT = /^account:(\d+)$/;

/** Names the person who recorded a payout. @param createdBy as the API returns it: `account:<id>` */
export function recorderText(createdBy: string, members: readonly Member[]): string {
  const id = Number(ACCOUNT.exec(createdBy)?.[1]);
  const member = members.find(({ account_id: account }) => account === id);
  return member ? (member.name ?? member.email) : createdBy.replace(ACCOUNT, 'Account $1');
}
