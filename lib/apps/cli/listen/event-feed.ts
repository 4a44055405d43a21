import type { WebhookEvent } from '#lib/apps/client/webhooks/webhook-event.ts';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { replyToAccount } from '#lib/apps/cli/machine/service.ts';

/**
 * How far back each poll looks. An event appears some seconds after it happened, and a later event may appear before
 * it.
 */
const LOOK_BACK_MS = 3 * 60_000;

/**
 * The result of one poll: the events that are new since the previous poll, oldest first, and the number of requests.
 */
interface Poll {
  readonly events: readonly WebhookEvent[];
  readonly requests: number;
}

/** Returns a function that polls for new events of a program. */
export function openEventFeed(invocation: Invocation, programId: number): () => Promise<Poll> {
  const seen = new Map<string, number>();
  // The time of the newest event so far, by the service's clock; this machine's clock may differ.
  let newestMs = -Infinity;
  let sinceMs = invocation.world.now() - LOOK_BACK_MS;

  return async () => {
    const found: WebhookEvent[] = [];
    let requests = 0;
    for (let cursor: string | null = ''; cursor !== null; requests++) {
      const query = new URLSearchParams({ limit: '100', since: new Date(sinceMs).toISOString() });
      if (cursor !== '') query.set('cursor', cursor);
      const path = `/api/dashboard/v1/programs/${programId}/facts?${query.toString()}`;
      const page = (await replyToAccount(invocation, { method: 'GET', path }, { once: true })) as unknown as EventPage;
      found.push(...page.data);
      cursor = page.meta.next_cursor;
    }
    const events = found.filter(({ id }) => !seen.has(id));
    for (const { id, timestamp } of events) {
      const atMs = Date.parse(timestamp);
      seen.set(id, atMs);
      newestMs = Math.max(newestMs, atMs);
    }
    sinceMs = Math.max(sinceMs, newestMs - LOOK_BACK_MS);
    for (const [id, atMs] of seen) if (atMs < sinceMs) seen.delete(id);
    return { events, requests };
  };
}

interface EventPage {
  readonly data: readonly WebhookEvent[];
  readonly meta: { readonly next_cursor: string | null };
}
