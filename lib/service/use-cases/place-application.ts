import type { Account } from '#lib/domain/account.ts';
import { isListFull, MOST_APPLICATIONS_OF_A_SOURCE } from '#lib/domain/application-queue.ts';
import { dayOf } from '#lib/domain/day.ts';
import { mailDomainOf } from '#lib/domain/email.ts';
import type { Program } from '#lib/domain/program.ts';
import { hashOfDay } from '#lib/service/daily-hash.ts';
import type { Deps } from '#lib/service/deps.ts';
import { loadMailDomains } from '#lib/service/mail-domains.ts';
import { applicationSourceWrite, findApplicationCount } from '#lib/service/store/application-sources.ts';
import type { Write } from '#lib/service/store/writes.ts';

/** Where an application goes. The writes belong into its transaction. */
interface Place {
  readonly isQueued: boolean;
  readonly writes: readonly Write[];
}

/**
 * Decides whether an application is listed or waits in the queue behind the list: so nobody is refused, and a flood from
 * one place does not hide those who came from elsewhere.
 * @param network of the person, asked for only here
 */
export async function placeApplication(
  deps: Deps,
  program: Program,
  { email }: Pick<Account, 'email'>,
  network: () => Promise<string>,
): Promise<Place> {
  if (isListFull(program)) return { isQueued: true, writes: [] };
  const { table, now } = deps;
  const day = dayOf(now);
  const sources = await sourcesOf(deps, email, network);
  const counts = await Promise.all(sources.map((source) => findApplicationCount(table, program.id, day, source)));
  const isQueued = counts.some((count) => count >= MOST_APPLICATIONS_OF_A_SOURCE);
  return { isQueued, writes: isQueued ? [] : sources.map((source) => applicationSourceWrite(program.id, day, source)) };
}

/** A network is known by its hash of the day alone; a provider of mailboxes for everyone says nothing of a person. */
async function sourcesOf(deps: Deps, email: string, network: () => Promise<string>): Promise<readonly string[]> {
  const [hash, lists] = await Promise.all([
    network().then((address) => hashOfDay(deps, address)),
    loadMailDomains(deps.log),
  ]);
  const domain = lists?.sourceDomainOf(mailDomainOf({ masked: email }));
  return [`network:${hash}`, ...(domain === undefined ? [] : [`mail:${domain}`])];
}
