import { Resolver } from 'node:dns/promises';
import { Agent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { AttemptOutcome } from '#lib/service/outbox/sending/delivery.ts';
import { cutToBytes } from '#lib/service/ground/values/event-texts.ts';
import {
  type AddressPolicy,
  isLoopback,
  isPublicAddress,
  webhookAddressOf,
} from '#lib/service/ground/addresses/webhook-address.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import manifest from '#package.json' with { type: 'json' };

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookSender = (request: WebhookRequest) => Promise<AttemptOutcome>;

/** Posts to an endpoint. The promise never rejects: an error is returned as an outcome with a readable text. */
export const sendWebhook = ({ once }: Pick<Deps, 'once'>, request: WebhookRequest): Promise<AttemptOutcome> =>
  once(webhookSender)(request);

/** Creates the sender from the configuration. */
export const webhookSender = ({ webhooks }: Config): WebhookSender => createWebhookSender(webhooks);

/** The options of the sender. Its functions are only replaced in tests. */
interface SenderOptions extends AddressPolicy {
  /** Resolves a host name to all of its IP addresses. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly isPublic?: (address: string) => boolean;
  /** Time limit for the whole request: DNS lookup, connection and response. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** How many bytes of a response are read. */
const MOST_BYTES = 64 * 1_024;
/** How many bytes of a response are stored. */
const KEPT_BYTES = 1_024;
/** How long a connection may take before the next IP address is tried. */
const CONNECT_MS = 2_000;
const MOST_ADDRESSES = 4;

const USER_AGENT = `ReferralTracking-Webhooks/${manifest.version}`;

/** The error of a request that was not sent or not answered. The message is shown to the owners of the endpoint. */
class NotSent extends Error {}

export function createWebhookSender({
  allowsLoopback,
  own,
  resolve = resolvePublicly,
  isPublic = isPublicAddress,
  timeoutMs = TIMEOUT_MS,
}: SenderOptions): WebhookSender {
  /**
   * Returns the IP addresses of the URL's host, which are then checked. The name is resolved only once, so that another
   * DNS answer between the check and the request (DNS rebinding) has no effect.
   */
  async function addressesOf(url: URL): Promise<readonly string[]> {
    if (allowsLoopback && isLoopback(url)) return ['127.0.0.1', ...(url.hostname === 'localhost' ? ['::1'] : [])];
    const hostname = url.hostname.replaceAll(/[[\]]/g, '');
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
    if (addresses.length === 0) throw new NotSent('The host has no address');
    if (!addresses.every((address) => isPublic(address)))
      throw new NotSent('The host has an address that is not public');
    return addresses.slice(0, MOST_ADDRESSES);
  }

  async function send(request: WebhookRequest, signal: AbortSignal): Promise<Answer> {
    const address = webhookAddressOf(request.url, { allowsLoopback, own });
    if (address === undefined) throw new NotSent('The address is not an https address of a public host');
    const url = new URL(address);
    const addresses = await orAborted(addressesOf(url), signal);
    return post(url, addresses, request, signal);
  }

  return async (request) => {
    const startMs = performance.now();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const ended = (outcome: Answer | { readonly error: string }): AttemptOutcome => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startMs),
    });
    try {
      return ended(await send(request, timeout.signal));
    } catch (error) {
      return ended({
        error: timeout.signal.aborted ? `No answer within ${timeoutMs / 1_000} seconds` : textOf(error as Error),
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

type Answer = Pick<AttemptOutcome, 'statusCode' | 'error' | 'response' | 'retryAfter'>;

function orAborted<T>(outcome: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  return Promise.race([outcome, aborted.promise]);
}

/** Resolves a name only by DNS servers, without the hosts file and search domains, which could complete it. */
async function resolvePublicly(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_MS };
/** The agents ignore the proxy settings of the environment. */
const agents = { http: new Agent(connecting), https: new TlsAgent(connecting) };

/** Resolves with the response when enough of the body was read or the time is over. */
function post(
  url: URL,
  addresses: readonly string[],
  { headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const isTls = url.protocol === 'https:';
  const options: RequestOptions = {
    method: 'POST',
    agent: isTls ? agents.https : agents.http,
    lookup: answering(addresses),
    // The option is set explicitly, because an environment variable could turn the check of certificates off.
    ...(isTls && { rejectUnauthorized: true }),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
      connection: 'close',
      ...headers,
    },
  };
  const call = (isTls ? httpsRequest : httpRequest)(url, options);
  const abort = () => call.destroy(new NotSent('No answer came in time'));
  signal.addEventListener('abort', abort, { once: true });
  // After the status has arrived, errors of the connection are ignored.
  let fail: (reason: Error) => void = reject;
  call.on('response', (answer) => {
    fail = () => undefined;
    void answerOf(answer)
      .then(resolve)
      .finally(() => call.destroy());
  });
  call.on('error', (error) => fail(error));
  // A request may end without a response or an error, for example after a switch of protocols.
  call.on('close', () => fail(new NotSent('The connection was closed without an answer')));
  call.end(body);
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** Replaces the DNS lookup of the connection, so that only the checked addresses can be used. */
const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };

/** Reads the response. The status counts even if the body is incomplete. */
async function answerOf(answer: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = answer;
  const kept: Buffer[] = [];
  let [read, keptBytes] = [0, 0];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (keptBytes < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - keptBytes));
      keptBytes = Math.min(read, KEPT_BYTES);
      if (read >= MOST_BYTES) break;
    }
  } catch {
    // The connection failed or the time is over. The response then consists of the bytes read so far.
  }
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return {
    statusCode,
    ...(isRedirect && { error: 'Redirects are not followed' }),
    ...(isPlain && { response: cutToBytes(new TextDecoder().decode(Buffer.concat(kept)), KEPT_BYTES) }),
    ...(headers['retry-after'] !== undefined && { retryAfter: headers['retry-after'] }),
  };
}

/** Readable texts for error codes of Node.js. */
const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without an answer',
  ETIMEDOUT: 'The connection could not be made in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
};

function textOf(error: Error & { readonly code?: string }): string {
  if (error instanceof NotSent) return error.message;
  const { code = '' } = error;
  if (/CERT|^ERR_TLS|SELF_SIGNED|VERIFY|ISSUER/.test(code)) return `The certificate is not accepted (${code})`;
  return TEXTS[code] ?? `The request failed${/^\w+$/.test(code) ? ` (${code})` : ''}`;
}
