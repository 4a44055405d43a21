import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Partner } from '#lib/service/programs/partners/partner.ts';
import {
  checkLeadCommissions,
  nextTermsVersion,
  ownTerms,
  type Program,
} from '#lib/service/programs/program/program.ts';
import { groupNameTaken, groupNotFound, groupsFull, personalTermsFull } from '#lib/service/ground/values/refusals.ts';
import { areSameTerms, type Terms, type TermsInForce } from '#lib/service/programs/terms/terms.ts';
import type { Bursts } from '#lib/service/programs/terms/velocity.ts';

export const MOST_GROUPS = 100;
/**
 * Maximum number of partners with personal terms in a program. The terms, groups and monthly sales are in one item,
 * which every sale of the program reads.
 */
export const MOST_PERSONAL_TERMS = 200;

/** Terms of a group or a partner, and their version. */
interface NumberedTerms {
  readonly terms: Terms;
  readonly version: number;
}

/** A group of partners with common terms. */
export interface Group extends NumberedTerms {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly partnerIds: ReadonlySet<number>;
}

/** What a program has agreed with groups of partners and with single partners. Groups are in order of creation. */
export interface Agreements {
  /** The number of changes by people; absent before the first change. */
  readonly revision?: number;
  readonly groups: readonly Group[];
  /** Personal terms by partner id. */
  readonly personal: Readonly<Record<string, NumberedTerms>>;
  /**
   * Suspicious peaks of clicks and signups in the program. They are stored with the agreements, because every sale and
   * lead reads this item.
   */
  readonly bursts?: Bursts;
}

/** Agreements after a change, and the terms that were replaced. */
export interface AgreementsChange {
  readonly after: Agreements;
  /** The highest version of the program's terms after the change; undefined if no terms were changed. */
  readonly version?: number;
  readonly former?: TermsInForce;
}

const groupOf = ({ groups }: Agreements, partnerId: number): Group | undefined =>
  groups.find(({ partnerIds }) => partnerIds.has(partnerId));

export const groupTerms = ({ terms, version, name }: Group): TermsInForce => ({
  ...terms,
  version: { version, from: 'group', name },
});

export const personalTerms = ({ terms, version }: NumberedTerms): TermsInForce => ({
  ...terms,
  version: { version, from: 'partner' },
});

/** The terms of a partner: the personal ones, else the group's, else the program's. These are never combined. */
export function agreedTerms(program: Program, agreements: Agreements, partnerId: number): TermsInForce {
  const personal = agreements.personal[partnerId];
  if (personal) return personalTerms(personal);
  const group = groupOf(agreements, partnerId);
  return group ? groupTerms(group) : ownTerms(program);
}

/** The current terms that have this version, if any. */
export function termsWithVersion(program: Program, agreements: Agreements, version: number): TermsInForce | undefined {
  const own = ownTerms(program);
  const ofGroup = agreements.groups.find((group) => group.version === version);
  const personal = Object.values(agreements.personal).find((terms) => terms.version === version);
  if (ofGroup) return groupTerms(ofGroup);
  if (personal) return personalTerms(personal);
  return own.version.version === version ? own : undefined;
}

/** All terms by which any partner may be paid. */
export const allTermsOf = (program: Program, { groups, personal }: Agreements): Terms[] => [
  program,
  ...[...groups, ...Object.values(personal)].map(({ terms }) => terms),
];

/** The terms by which a partner is paid, and where they come from. */
export interface TermsOfPartner {
  readonly group?: Group;
  readonly personal?: Terms;
  readonly inForce: TermsInForce;
}

export const termsOfPartner = (
  program: Program,
  agreements: Agreements,
  { id }: Pick<Partner, 'id'>,
): TermsOfPartner => ({
  group: groupOf(agreements, id),
  personal: agreements.personal[id]?.terms,
  inForce: agreedTerms(program, agreements, id),
});

/** Adds a group. @throws Refusal when there is a group of this name, or too many groups */
export function withNewGroup(
  program: Program,
  agreements: Agreements,
  { name, terms, createdAt }: Pick<Group, 'name' | 'terms' | 'createdAt'>,
): AgreementsChange & { readonly group: Group } {
  const { groups } = agreements;
  checkName(agreements, name);
  checkLeadCommissions(program, [terms]);
  if (groups.length >= MOST_GROUPS) throw groupsFull(MOST_GROUPS);
  const version = nextTermsVersion(program);
  const group: Group = { id: (groups.at(-1)?.id ?? 0) + 1, name, createdAt, terms, version, partnerIds: new Set() };
  return { after: { ...agreements, groups: [...groups, group] }, version, group };
}

/** Changes a group. @throws Refusal when another group has the name */
export function withChangedGroup(
  program: Program,
  agreements: Agreements,
  groupId: number | undefined,
  { name, terms }: Partial<Pick<Group, 'name' | 'terms'>>,
): AgreementsChange & { readonly group: Group } {
  const before = groupWithId(agreements, groupId);
  if (name !== undefined) checkName(agreements, name, before.id);
  const renamed = { ...before, name: name ?? before.name };
  const isChanged = terms !== undefined && !areSameTerms(before.terms, terms);
  if (isChanged) checkLeadCommissions(program, [terms]);
  const version = isChanged ? nextTermsVersion(program) : undefined;
  const group = terms && version !== undefined ? { ...renamed, terms, version } : renamed;
  return {
    after: { ...agreements, groups: agreements.groups.map((one) => (one.id === group.id ? group : one)) },
    version,
    former: isChanged ? groupTerms(before) : undefined,
    group,
  };
}

/** A change of a partner's terms: undefined leaves a part unchanged, null removes it. */
export interface PartnerTermsChange {
  readonly groupId?: number | null;
  readonly terms?: Terms | null;
}

/**
 * Changes the group or personal terms of a partner.
 * @throws Refusal when there is no such group, or too many personal terms
 */
export function withPartnerTerms(
  program: Program,
  agreements: Agreements,
  partnerId: number,
  { groupId, terms }: PartnerTermsChange,
): AgreementsChange {
  const grouped = groupId === undefined ? agreements : inGroup(agreements, partnerId, groupId);
  if (terms === undefined) return { after: grouped };
  const { [partnerId]: before, ...others } = grouped.personal;
  const former = before && personalTerms(before);
  if (terms === null) return { after: { ...grouped, personal: others }, former };
  if (before && areSameTerms(before.terms, terms)) return { after: grouped };
  checkLeadCommissions(program, [terms]);
  if (!before && Object.keys(others).length >= MOST_PERSONAL_TERMS) throw personalTermsFull(MOST_PERSONAL_TERMS);
  const version = nextTermsVersion(program);
  return { after: { ...grouped, personal: { ...others, [partnerId]: { terms, version } } }, version, former };
}

function inGroup(agreements: Agreements, partnerId: number, groupId: number | null): Agreements {
  const chosen = groupId === null ? undefined : groupWithId(agreements, groupId);
  const groups = agreements.groups.map((group) => {
    if (group.id === chosen?.id) return { ...group, partnerIds: new Set([...group.partnerIds, partnerId]) };
    if (!group.partnerIds.has(partnerId)) return group;
    return { ...group, partnerIds: new Set([...group.partnerIds].filter((id) => id !== partnerId)) };
  });
  return { ...agreements, groups };
}

/** Finds a group by id or by name, regardless of upper and lower case. @throws Refusal */
export function groupCalled(agreements: Agreements, sent: number | string): Group {
  if (typeof sent === 'number') return groupWithId(agreements, sent);
  const { groups } = agreements;
  const wanted = sent.trim();
  const exact = groups.find(({ name }) => name === wanted);
  const alike = groups.find(({ name }) => name.toUpperCase() === wanted.toUpperCase());
  return exact ?? alike ?? groupWithId(agreements, numericIdOf(sent));
}

/** Finds a group. @param groupId undefined when the sent value cannot be an id @throws Refusal */
export function groupWithId({ groups }: Agreements, groupId: number | undefined): Group {
  const group = groups.find(({ id }) => id === groupId);
  if (!group) throw groupNotFound();
  return group;
}

function checkName({ groups }: Agreements, name: string, ofGroup?: number): void {
  if (groups.some((group) => group.name === name && group.id !== ofGroup)) throw groupNameTaken();
}
