import type { Account } from '#lib/domain/account.ts';
import type { Code } from '#lib/domain/code.ts';
import type { ShownPayoutDetails } from '#lib/domain/payout-details.ts';
import type { ReferralLink } from '#lib/domain/referral-link.ts';
import type { Deps } from '#lib/service/deps.ts';
import { codesOfPartner } from '#lib/service/store/codes.ts';
import { findLink } from '#lib/service/store/links.ts';
import { findPayoutDetails } from '#lib/service/store/payout-details.ts';
import { joinedPrograms, type JoinedProgram } from '#lib/service/use-cases/list-own-programs.ts';

/** What a person is in one program. */
export interface ExportedProgram extends JoinedProgram {
  readonly links: readonly ReferralLink[];
  readonly codes: readonly Code[];
}

export interface ExportedPerson {
  readonly account: Account;
  readonly payoutDetails?: ShownPayoutDetails;
  readonly programs: readonly ExportedProgram[];
  /** Whether it has all links and codes: they are many where brands make them by a program. */
  readonly isComplete: boolean;
}

/** Links and codes together: at some 300 bytes each, and with the addresses, the reply stays far below 6 MB. */
const MOST_ROWS = 5_000;
/** Of the addresses to which links lead. */
const MOST_CHARACTERS = 3_000_000;

/** What is stored of an account as a partner, but for what grows with its sales, which has lists and files of its own. */
export async function exportPerson(deps: Deps, account: Account): Promise<ExportedPerson> {
  const { table } = deps;
  const [programs, payoutDetails] = await Promise.all([
    joinedPrograms(deps, account),
    findPayoutDetails(table, account.id),
  ]);
  const exported: ExportedProgram[] = [];
  let room = MOST_ROWS;
  let characters = MOST_CHARACTERS;
  let isComplete = true;
  for (const joined of programs) {
    const { links: shortLinks, programId, id } = joined.partner;
    const stored = await Promise.all(shortLinks.slice(0, room).map((shortLink) => findLink(table, shortLink)));
    const found = stored.filter((link) => link !== undefined);
    const cut = found.findIndex(({ destinationUrl }) => (characters -= destinationUrl.length) < 0);
    const links = cut === -1 ? found : found.slice(0, cut);
    isComplete &&= shortLinks.length <= room && cut === -1;
    room -= links.length;
    const { items: codes } = await codesOfPartner(table, programId, id, { most: room + 1 });
    isComplete &&= codes.length <= room;
    exported.push({ ...joined, links, codes: codes.slice(0, room) });
    room = Math.max(0, room - codes.length);
  }
  return { account, payoutDetails, programs: exported, isComplete };
}
