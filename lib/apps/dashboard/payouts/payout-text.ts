import { countOf, moneysText, plainMoneyText } from '#lib/apps/web/format.ts';
import type { Member } from '#lib/wire/people/people.ts';
import type { ListedPayout, Payout } from '#lib/wire/earnings/payout.ts';

type Items = ListedPayout['items'];

/** Number of partners. An item pays one partner in one currency. */
export const partnerCount = (items: Items): number => new Set(items.map(({ partner_id: id }) => id)).size;

interface Sums {
  readonly totals: ListedPayout['totals'];
  readonly partners: number;
}

/** A payout in words, for example `€56.00 and $1,234.00 to 5 partners`. */
export const payoutText = ({ totals, partners }: Sums): string =>
  `${moneysText(totals)} to ${countOf(partners, 'partner')}`;

/** Whether a payout has the contents that its preview showed. Large payouts have totals only. */
export const isAsShown = (payout: Payout, shown: Pick<ListedPayout, 'totals' | 'items'>): boolean =>
  moneysText(payout.totals) === moneysText(shown.totals) &&
  (payout.items.length === 0 || amountsOf(payout.items) === amountsOf(shown.items));

const amountsOf = (items: Items): string =>
  JSON.stringify(items.map((item) => [item.partner_id, item.currency, item.amount_cents]));

/**
 * The amounts for making the payments: one line per partner. The amount comes first, so that no name is interpreted as
 * a spreadsheet formula.
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
 * Puts a name into one line: a line break would look like another payment, and a change of text direction would garble
 * the following text.
 */
const inOneLine = (name: string): string =>
  name
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .trim();

const ACCOUNT = /^account:(\d+)$/;

/** The person who recorded a payout. @param createdBy as on the wire: `account:<id>` */
export function recorderText(createdBy: string, members: readonly Member[]): string {
  const id = Number(ACCOUNT.exec(createdBy)?.[1]);
  const member = members.find(({ account_id: account }) => account === id);
  return member ? (member.name ?? member.email) : createdBy.replace(ACCOUNT, 'Account $1');
}
