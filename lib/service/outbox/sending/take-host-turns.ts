import { countedHostOf, type HostTurns, turnsOf } from '#lib/service/outbox/sending/host-turns.ts';
import { secondWindowAt } from '#lib/service/ground/values/rate-limits.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { countRequest } from '#lib/service/ground/counters/rate-windows-items.ts';

type TurnDeps = Pick<Deps, 'table'> & { readonly clock: () => Date };

interface TurnsTaken extends HostTurns {
  /** When the sender asked for the requests. They are counted in the second of this time and must be sent in it. */
  readonly at: Date;
}

/** Asks for permission to send requests to a host, on behalf of one sender. */
export type TakeTurns = (url: string, asked: number) => Promise<TurnsTaken>;

/**
 * With a single write, counts all requests that the sender wants to send in this second. Writes nothing if it is known
 * that no further request is allowed in the current second.
 */
export function createTakeTurns({ table, clock }: TurnDeps): TakeTurns {
  let full: { readonly host: string; readonly startSeconds: number; readonly nextAt: string } | undefined;
  return async (url, asked) => {
    const at = clock();
    const host = countedHostOf(url);
    const second = secondWindowAt(at);
    const { startSeconds } = second;
    if (full?.host === host && full.startSeconds === startSeconds) return { at, granted: 0, nextAt: full.nextAt };
    const turns = turnsOf(asked, await countRequest(table, 'delivery', host, second, asked), second);
    if (turns.nextAt) full = { host, startSeconds, nextAt: turns.nextAt };
    return { at, ...turns };
  };
}
