import { type Agreements, groupTerms, personalTerms } from '#lib/service/programs/terms/agreements.ts';
import type { Page, PageRequest } from '#lib/service/ground/values/paging.ts';
import { FIRST_VERSION, ownTerms, type Program } from '#lib/service/programs/program/program.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { emailsOf } from '#lib/service/people/workspaces/list-audit.ts';
import { findAgreements } from '#lib/service/programs/terms/agreements-items.ts';
import { findPartner } from '#lib/service/programs/partners/partners-items.ts';
import { latestTerms, type StoredTerms } from '#lib/service/programs/terms/terms-items.ts';

/** A version of terms in a program's list. */
export interface ListedTerms extends StoredTerms {
  readonly isInForce: boolean;
  /** The program's or group's name when the terms changed, or the partner's current name; absent if missing. */
  readonly name?: string;
  /** The author's current e-mail address; absent for a closed account. */
  readonly authorEmail?: string;
}

/**
 * All versions of the terms of a program, its groups and its partners, newest first. Former versions of the service
 * stored no times and no authors, and stored terms only when they ended. So the present terms are taken from the
 * program and its groups.
 */
export async function listTerms(
  { table }: Pick<Deps, 'table'>,
  program: Program,
  { most, after }: PageRequest,
): Promise<Page<ListedTerms>> {
  const below = after === undefined ? undefined : Number(after);
  const [agreements, stored] = await Promise.all([
    findAgreements(table, program.id),
    latestTerms(table, program.id, most + 1, below),
  ]);
  const inForce = new Map(allInForce(program, agreements).map((one) => [numberOf(one), one]));
  const known = new Map(stored.map((one) => [numberOf(one), one]));
  const numbers = [...new Set([...inForce.keys(), ...known.keys()])]
    .filter((number) => below === undefined || number < below)
    .toSorted((a, b) => b - a);
  const shown = numbers.slice(0, most).map((number) => {
    const present = inForce.get(number);
    const kept = known.get(number);
    const { effectiveAt = number === FIRST_VERSION ? program.createdAt : undefined, ...history } = kept?.history ?? {};
    return {
      // At least one of the two is always set.
      terms: (present ?? kept)!.terms,
      history: { ...history, id: present?.history.id ?? history.id, effectiveAt },
      isInForce: present !== undefined,
    };
  });
  const emails = await emailsOf(
    table,
    shown.map(({ history }) => history.by?.accountId),
  );
  const items = shown.map(async (one) => ({
    ...one,
    name: one.terms.version.name ?? (await partnerName(one)),
    authorEmail: emails.get(one.history.by?.accountId),
  }));
  return { items: await Promise.all(items), next: numbers.length > most ? String(numbers[most - 1]) : undefined };

  async function partnerName({ history: { id } }: StoredTerms): Promise<string | undefined> {
    return id === undefined ? undefined : (await findPartner(table, program.id, id))?.name;
  }
}

const numberOf = ({ terms }: StoredTerms): number => terms.version.version;

const allInForce = (program: Program, { groups, personal }: Agreements): StoredTerms[] => [
  { terms: ownTerms(program), history: {} },
  ...groups.map((group) => ({ terms: groupTerms(group), history: { id: group.id } })),
  ...Object.entries(personal).map(([id, terms]) => ({ terms: personalTerms(terms), history: { id: Number(id) } })),
];
