import type { Agreements } from '#lib/service/programs/terms/agreements.ts';
import { ownTerms, type Program } from '#lib/service/programs/program/program.ts';

/** The versions of the terms by which the partners of a program are paid at one moment. */
export interface AgreedVersions {
  readonly own: number;
  /** The groups that have partners, with the version of their terms. */
  readonly groups: readonly { readonly version: number; readonly partnerIds: ReadonlySet<number> }[];
  /** The versions of personal terms by partner id. */
  readonly personal: Readonly<Record<string, number>>;
}

export const versionsOf = (program: Program, { groups, personal }: Agreements): AgreedVersions => ({
  own: ownTerms(program).version.version,
  groups: groups
    .filter(({ partnerIds }) => partnerIds.size > 0)
    .map(({ version, partnerIds }) => ({ version, partnerIds })),
  personal: Object.fromEntries(Object.entries(personal).map(([partnerId, { version }]) => [partnerId, version])),
});

/** The version by which a partner is paid. */
export const versionFor = ({ own, groups, personal }: AgreedVersions, partnerId: number): number =>
  personal[partnerId] ?? groups.find(({ partnerIds }) => partnerIds.has(partnerId))?.version ?? own;
