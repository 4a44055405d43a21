import type { Mail } from '#lib/service/people/mail/mail.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import type { Payout, PayoutItem } from '#lib/service/earnings/payouts/payout.ts';
import { MOST_CURRENCIES } from '#lib/service/ground/values/currency.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findAccount } from '#lib/service/people/accounts/accounts-items.ts';
import type { Mailing } from '#lib/service/people/mail/mails-items.ts';
import { findPartner, partnersAfter } from '#lib/service/programs/partners/partners-items.ts';
import { linePosition, storedLines } from '#lib/service/earnings/lines/payout-lines-items.ts';
import { findPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findWorkspace } from '#lib/service/people/workspaces/workspaces-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findTermsReport } from '#lib/service/programs/changed-terms/terms-notices-items.ts';
import { factOfDay, reportedTerms } from '#lib/service/outbox/mail/report-terms.ts';
import { termsText } from '#lib/service/programs/terms/terms-text.ts';
import type { Terms } from '#lib/service/programs/terms/terms.ts';
import { accountAddressee } from '#lib/service/programs/partners/account-addressee.ts';

type ReadDeps = Pick<Deps, 'table'>;

/** The e-mails that the next step of a mailing creates. */
interface NextMails {
  /** The e-mails. @property fact the event that the e-mail reports, if it is not that of the whole mailing */
  readonly mails: readonly (Mail & { readonly fact?: string })[];
  /** The position after which the next step starts. Undefined if no recipients are left. */
  readonly after?: string;
}

/**
 * Returns the e-mails that the next step of a mailing creates.
 * @param most number of recipients to check; some of them may get no e-mail
 */
export function nextInAudience(deps: ReadDeps, mailing: Mailing, most: number): Promise<NextMails> {
  if (mailing.kind === 'terms_changed') return nextPartners(deps, mailing, most);
  if (mailing.kind === 'commission_terms_changed') return nextConcerned(deps, mailing, most);
  if (mailing.kind === 'payout_made') return nextPaid(deps, mailing, most);
  if (mailing.kind === 'payout_returned') return partnerOfLine(deps, mailing);
  return nextOwners(deps, mailing, most);
}

/** A partner whom the brand added and who has not accepted yet gets no e-mails from the brand. */
const hasAccepted = ({ joinedAt }: Partner): boolean => joinedAt !== undefined;

type Of<Kind extends Mailing['kind']> = Extract<Mailing, { readonly kind: Kind }>;

/** Reads partners in the order of their keys, which never change. */
async function nextPartners({ table }: ReadDeps, mailing: Of<'terms_changed'>, most: number): Promise<NextMails> {
  const { kind, to, data, after } = mailing;
  const partners = await partnersAfter(table, to.activePartnersOf, after, most);
  const active = partners.filter((partner) => partner.status === 'active' && hasAccepted(partner));
  const found = await Promise.all(active.map((partner) => accountAddressee({ table }, partner)));
  return {
    mails: found.flatMap((account) => (account ? [{ kind, to: account, data }] : [])),
    after: partners.length < most ? undefined : partners.at(-1)!.sk,
  };
}

/**
 * Reads partners in the order of their keys. Partners whose terms have changed get an e-mail, at most one a day.
 * Partners who already got one today are notified of further changes by the first mailing of the next day.
 */
async function nextConcerned(
  { table }: ReadDeps,
  { kind, to, data, after }: Of<'commission_terms_changed'>,
  most: number,
): Promise<NextMails> {
  const { programId, programName, dueAt } = data;
  const [program, report] = await Promise.all([
    findProgram(table, programId),
    findTermsReport(table, programId, dueAt),
  ]);
  if (!program || !report) return { mails: [] };
  const partners = await partnersAfter(table, to.activePartnersOf, after, most);
  const active = partners.filter(
    ({ status, joinedAt }) => status === 'active' && joinedAt !== undefined && joinedAt <= report.changedAt,
  );
  const mails = active.map(async (partner) => {
    const account = await accountAddressee({ table }, partner);
    const reported = account && (await reportedTerms({ table }, program, report, partner, account));
    if (!reported) return [];
    const inWords = (terms: Terms): string => termsText(terms, program.currency);
    const { version } = reported.after.version;
    const told = { programId, programName, before: inWords(reported.before), after: inWords(reported.after), version };
    return [{ kind, fact: factOfDay(programId, report.day), to: account, data: told }];
  });
  return {
    mails: (await Promise.all(mails)).flat(),
    after: partners.length < most ? undefined : partners.at(-1)!.sk,
  };
}

/** Reads paid partners in the order of their ids. A partner who is paid in two currencies gets only one e-mail. */
async function nextPaid({ table }: ReadDeps, mailing: Of<'payout_made'>, most: number): Promise<NextMails> {
  const { kind, to, data, after } = mailing;
  const payout = await findPayout(table, to.paidIn);
  const items = payout ? await itemsFrom(table, payout, Number(after ?? 0) + 1, most) : [];
  const { people: ids, last } = stepOf(
    items.map(({ partnerId }) => partnerId),
    after,
    most,
  );
  const partners = await Promise.all(ids.map((id) => findPartner(table, data.programId, id)));
  const mails = partners
    .filter((partner) => partner !== undefined)
    .filter(hasAccepted)
    .map(async (partner) => {
      const account = await accountAddressee({ table }, partner);
      return account ? [{ kind, to: account, data: { ...data, amounts: amountsOf(items, partner) } }] : [];
    });
  return {
    mails: (await Promise.all(mails)).flat(),
    after: last,
  };
}

/** The partner of a line that failed or is void. */
async function partnerOfLine({ table }: ReadDeps, { kind, to, data }: Of<'payout_returned'>): Promise<NextMails> {
  const partner = await findPartner(table, data.programId, to.partnerOfLine);
  const account = partner && hasAccepted(partner) ? await accountAddressee({ table }, partner) : undefined;
  return { mails: account ? [{ kind, to: account, data }] : [] };
}

/** The items of a payout for the given number of partners, beginning with this partner: one item per currency. */
async function itemsFrom(table: Deps['table'], payout: Payout, partnerId: number, partners: number) {
  if (payout.items) return payout.items;
  const after = linePosition({ payoutId: payout.id, partnerId, currency: '' });
  return storedLines(table, payout.id, { most: (partners + 1) * MOST_CURRENCIES, after });
}

const amountsOf = (items: readonly PayoutItem[], { id }: Partner) =>
  items.filter(({ partnerId }) => partnerId === id).map(({ currency, amountCents }) => ({ currency, amountCents }));

/** Reads owners in the order of their account ids. Invited people who have not joined get no e-mails. */
async function nextOwners(
  { table }: ReadDeps,
  {
    kind,
    to,
    data,
    after,
  }: Of<'key_rotation_due' | 'webhook_disabled' | 'owner_digest' | 'payout_due' | 'sale_id_in_use'>,
  most: number,
): Promise<NextMails> {
  const workspace = await findWorkspace(table, to.ownersOf);
  const owners = workspace?.members.flatMap(({ role, accountId }) =>
    role === 'owner' && accountId ? [accountId] : [],
  );
  const { people: ids, last } = stepOf(owners ?? [], after, most);
  const accounts = await Promise.all(ids.map((id) => findAccount(table, id)));
  const found = accounts
    .filter((account) => account !== undefined)
    .filter(({ suspendedAt }) => suspendedAt === undefined);
  return {
    mails: found.map(({ id: accountId, email, name }) => ({ kind, to: { email, name, accountId }, data }) as Mail),
    after: last,
  };
}

/** Returns the ids for the next step without duplicates, and the last of them if more ids follow. */
function stepOf(ids: readonly number[], after = '0', most: number) {
  const left = [...new Set(ids)].filter((id) => id > Number(after)).toSorted((a, b) => a - b);
  const people = left.slice(0, most);
  return { people, last: left.length > most ? String(people.at(-1)) : undefined };
}
