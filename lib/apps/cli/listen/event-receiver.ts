import type { WebhookEvent } from '#lib/apps/client/webhooks/webhook-event.ts';
import { keyOfSecret, webhookSignature } from '#lib/apps/client/webhooks/webhook-signature.ts';
import type { CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { isSafeAddress } from '#lib/apps/cli/login/safe-address.ts';

const TIMEOUT_MS = 15_000;
/** Waiting times before the retries. They are long enough for a receiver that restarts after a code change. */
const BACKOFF_MS = [1_000, 3_000, 9_000];

/** The receiver's response to one request. */
export interface ReceiverAnswer {
  /** The HTTP status; null if there was no response. */
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Checks the receiver's address. @throws Failure if events would be sent over the network unencrypted */
export function checkReceiverAddress(url: string): void {
  if (isSafeAddress(url) && new URL(url).username === '' && new URL(url).password === '') return;
  throw new Failure(
    '--forward must be an address of this machine, such as http://localhost:3000/hooks, or an https address; without user and password',
    { code: 'invalid_address' },
  );
}

/**
 * Sends an event to the receiver as the service does, and retries until the receiver accepts it or four attempts have
 * failed.
 * @param heard is called with each response, and the waiting time before the next request
 */
export async function forwardEvent(
  world: CliEnvironment,
  { url, secret }: { readonly url: string; readonly secret: string },
  event: WebhookEvent,
  heard: (answer: ReceiverAnswer, waitMs: number | undefined) => void,
): Promise<boolean> {
  for (let retries = 0; !world.interrupted.aborted; retries++) {
    const answer = await send(world, url, secret, event);
    const waitMs = answer.error === null ? undefined : BACKOFF_MS[retries];
    heard(answer, waitMs);
    if (waitMs === undefined) return answer.error === null;
    await world.sleep(waitMs);
  }
  return false;
}

async function send(
  { version, now, fetch = globalThis.fetch }: CliEnvironment,
  url: string,
  secret: string,
  { id, type, timestamp: at, data }: WebhookEvent,
): Promise<ReceiverAnswer> {
  const body = JSON.stringify({ type, timestamp: at, data });
  const startedMs = now();
  const timestamp = String(Math.floor(startedMs / 1_000));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `affitor/${version}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': webhookSignature(keyOfSecret(secret)!, id, timestamp, new TextEncoder().encode(body)),
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const ended = (status_code: number | null, error: string | null) => ({
    status_code,
    error,
    duration_ms: now() - startedMs,
  });
  try {
    const { status, text } = await answered(fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal }));
    return ended(status, status >= 200 && status < 300 ? null : `it answered ${status}${text && `: ${text}`}`);
  } catch (error) {
    return ended(null, signal.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : reasonOf(error));
  }
}

/** Converts the receiver's reply. The first line of its body is included, because it may explain an error. */
async function answered(reply: ReturnType<NonNullable<CliEnvironment['fetch']>>) {
  const answer = await reply;
  const text = await answer.text();
  return { status: answer.status, text: text.split('\n')[0]!.slice(0, 200) };
}

/** The reason of a failed request. The error of `fetch` only says that it failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & {
    readonly cause?: { readonly message?: string; readonly code?: string };
  };
  return cause?.message || cause?.code || message;
}
