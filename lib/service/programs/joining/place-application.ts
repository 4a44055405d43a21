import type { Account } from '#lib/service/ground/addresses/account.ts';
import { isListFull, MOST_APPLICATIONS_OF_A_SOURCE } from '#lib/service/programs/joining/application-queue.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { mailDomainOf } from '#lib/service/ground/addresses/email.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { hashOfDay } from '#lib/service/ground/effects/daily-hash.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { loadMailDomains } from '#lib/service/ground/addresses/load-mail-domains.ts';
import {
  applicationSourceWrite,
  findApplicationCount,
} from '#lib/service/programs/joining/application-sources-items.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

/** The place of an application in the list or in the queue. The writes belong in the transaction of the application. */
interface Place {
  readonly isQueued: boolean;
  readonly writes: readonly Write[];
}

/**
 * Decides whether an application is listed or waits in the queue behind the list. So no application is refused, and
 * very many applications from one source do not hide the others.
 * @param network returns the person's network; called only when needed
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

/**
 * The sources by which applications are counted: the network, only as a hash with the salt of the day, and the mail
 * domain, unless it is a public mail provider, whose users are unrelated.
 */
async function sourcesOf(deps: Deps, email: string, network: () => Promise<string>): Promise<readonly string[]> {
  const [hash, lists] = await Promise.all([
    network().then((address) => hashOfDay(deps, address)),
    loadMailDomains(deps.log),
  ]);
  const domain = lists?.sourceDomainOf(mailDomainOf({ masked: email }));
  return [`network:${hash}`, ...(domain === undefined ? [] : [`mail:${domain}`])];
}
