import { type Json, warningsOf } from '#lib/apps/client/errors/error-of-reply.ts';
import {
  AuthenticationError,
  KeyRotationRequiredError,
  NetworkError,
  ReferralError,
} from '#lib/apps/client/errors/referral-error.ts';
import { type RetryPolicy, withRetries } from '#lib/apps/client/calls/retry.ts';
import { openTransport, type Send, type WireRequest } from '#lib/apps/client/calls/transport.ts';
import { warnOnce } from '#lib/apps/client/errors/warn-once.ts';
import { type ApiUrl, resolveApiUrl } from '#lib/apps/cli/login/api-url.ts';
import type { Invocation } from '#lib/apps/cli/commands/command.ts';
import { type Credentials, notLoggedIn, readCredentials } from '#lib/apps/cli/login/credentials.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { type ProgramKey, resolveProgramKey } from '#lib/apps/cli/commands/program-key.ts';
import { isSafeAddress } from '#lib/apps/cli/login/safe-address.ts';
import { readProjectConfig } from '#lib/apps/cli/project/project-config.ts';

/** Long enough for the slowest request, which verifies a whole integration. */
const TIMEOUT_MS = 30_000;

/** Only network errors are retried; for an HTTP error, the person sees the service's message at once. */
const networkOnly: RetryPolicy = {
  after: ['network'],
  backoffMs: [1_000, 2_000],
  jitter: 0,
  longestRetryAfterSeconds: 0,
};
const never: RetryPolicy = { ...networkOnly, backoffMs: [] };

/** Advice for a person without a workspace. @param url address of the service and its dashboard */
export const createWorkspaceAdvice = (url: string): string =>
  `Create a workspace in the dashboard (${url}), or accept an invitation there, then run this again.`;

export interface Service extends ApiUrl {
  readonly reply: (request: WireRequest, options?: AskOptions) => Promise<Json>;
  /** Sends a request. @returns the field `data` of the reply */
  readonly ask: (request: WireRequest, options?: AskOptions) => Promise<unknown>;
}

interface AskOptions {
  /** If true, the request is not retried, even after a network error. */
  readonly once?: boolean;
}

/** Connects to the service. Its address is given on the command line, by the project or by the login. */
export async function openService(invocation: Invocation): Promise<Service> {
  const { flags, world, notice } = invocation;
  const { url, source } = await resolveApiUrl(invocation);
  if (!isSafeAddress(url)) {
    throw new Failure(
      `${url} is not encrypted: others on the network could read your key or login. Nothing was sent.`,
      {
        advice: `The address comes from ${source}. Use https; plain http is for this machine only.`,
      },
    );
  }
  const userAgent = `affitor/${world.version} (${world.platform})`;
  const transport = openTransport({ baseUrl: url, timeoutMs: TIMEOUT_MS, fetch: world.fetch, userAgent });
  const send = flags.verbose ? traced(transport, world) : transport;
  const warn = warnOnce(world.error);

  const sleep = async (ms: number) => {
    notice(`Cannot reach ${url}. Trying again in ${ms / 1_000} s.`);
    await world.sleep(ms);
  };

  async function reply(request: WireRequest, { once = false }: AskOptions = {}): Promise<Json> {
    try {
      const policy = once ? never : networkOnly;
      const { body } = await withRetries(policy, () => send(request), { sleep, random: () => 0 });
      warn(warningsOf(body));
      return body;
    } catch (error) {
      if (error instanceof ReferralError) warn(error.warnings);
      if (!(error instanceof NetworkError)) throw error;
      const advice = `The address comes from ${source}. Is the service running there? --api-url <url> names another one.`;
      throw new Failure(error.message, { code: 'network_error', advice, cause: error });
    }
  }
  return { url, source, reply, ask: async (request, options) => (await reply(request, options)).data };
}

/** Sends a request with the login token. @throws Failure if there is no login, or the service rejects it */
export const askAsAccount = async (
  invocation: Invocation,
  request: WireRequest,
  options?: AskOptions,
): Promise<unknown> => (await replyToAccount(invocation, request, options)).data;

/** Sends a request like `askAsAccount`, but returns the whole reply, for lists. @throws Failure as above */
export async function replyToAccount(
  invocation: Invocation,
  request: WireRequest,
  options?: AskOptions,
): Promise<Json> {
  const { home, now } = invocation.world;
  const credentials = await readCredentials(home, now());
  if (!credentials) throw notLoggedIn();
  const service = await openService(invocation);
  refuseForeignService(service, credentials);
  try {
    return await service.reply({ ...request, bearer: credentials.token }, options);
  } catch (error) {
    const advice = adviceOn(error, service);
    if (advice === undefined) throw error;
    throw new Failure((error as Error).message, { advice, cause: error });
  }
}

function adviceOn(error: unknown, { url }: ApiUrl): string | undefined {
  if (error instanceof AuthenticationError) return 'Run `affitor login`.';
  const hasNoWorkspace =
    error instanceof ReferralError &&
    error.status === 403 &&
    error.message === 'No advertiser account found for this user';
  return hasNoWorkspace ? createWorkspaceAdvice(url) : undefined;
}

/** Sends a request with the program key. @throws Failure that names the source of a rejected key */
export async function askWithKey(invocation: Invocation, request: WireRequest): Promise<unknown> {
  const { key, source } = await resolveProgramKey(invocation);
  const service = await openService(invocation);
  await approveForeignService(invocation, service, source);
  try {
    return await service.ask({ ...request, bearer: key });
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    const hint = error instanceof KeyRotationRequiredError ? ` ${error.hint ?? ''}` : '';
    throw new Failure(`${error.message}${hint} The refused key came from ${source}.`, {
      advice: await staleKeyAdvice(invocation),
      cause: error,
    });
  }
}

/**
 * Advises on a rejected key. If the key was replaced, the person should use the new key: generating another one would
 * break the programs that use it.
 */
async function staleKeyAdvice(invocation: Invocation): Promise<string> {
  const replacedOn = await keyReplacedOn(invocation).catch(() => undefined);
  return (
    `${replacedOn === undefined ? 'If someone has replaced the key' : `The program's key was last replaced on ${replacedOn}`}, ` +
    'get the current one from where your production keeps it. Regenerating stops every server that has the current key.'
  );
}

/** The day on which the program's current key was generated; undefined if there is no login to ask with. */
async function keyReplacedOn(invocation: Invocation): Promise<string | undefined> {
  const { folder, home, now } = invocation.world;
  const config = await readProjectConfig(folder);
  if (config?.program_id === undefined || !(await readCredentials(home, now()))) return undefined;
  const path = `/api/dashboard/v1/programs/${config.program_id}` as const;
  const program = (await askAsAccount(invocation, { method: 'GET', path }, { once: true })) as {
    readonly key_rotated_at?: string | null;
  };
  return program.key_rotated_at?.slice(0, 10);
}

/**
 * Protects the program key from a malicious project. The project's file may name any address, so such an address may
 * only receive the key that is stored in the same project, in `.service/.env`. For any other key, the person is asked.
 */
async function approveForeignService(
  { person, world }: Invocation,
  { url, source }: ApiUrl,
  keySource: ProgramKey['source'],
): Promise<void> {
  if (source !== '.service/config.json' || keySource === '.service/.env') return;
  const login = await readCredentials(world.home, world.now());
  if (login && new URL(login.api_url).origin === new URL(url).origin) return;
  const question = `.service/config.json names ${url}. Send the program key from ${keySource} there?`;
  // The flag `--auto-confirm` does not answer this question: an automatic job in a cloned project would send its key
  // unnoticed.
  if (await person?.confirm(question)) return;
  throw new Failure(
    `.service/config.json names ${url}, and the program key comes from ${keySource}. Nothing was sent.`,
    {
      advice: `If ${url} is your service, pass --api-url ${url}, or put the key into .service/.env.`,
    },
  );
}

/**
 * Refuses to send the login token to an address from a project's file, because the author of the file may not be
 * trusted.
 */
function refuseForeignService({ url, source }: ApiUrl, { api_url: issuer }: Credentials): void {
  if (source !== '.service/config.json' || new URL(url).origin === new URL(issuer).origin) return;
  throw new Failure(
    `You are logged in at ${issuer}, but .service/config.json names ${url}. Run \`affitor login\` to log in there, or pass --api-url.`,
    { code: 'not_logged_in' },
  );
}

function traced(send: Send, { now, error: print }: Invocation['world']): Send {
  return async (request) => {
    const startedAt = now();
    const trace = (outcome: string) =>
      print(`${request.method} ${request.path} → ${outcome} in ${now() - startedAt} ms`);
    try {
      const reply = await send(request);
      trace(String(reply.status));
      return reply;
    } catch (error) {
      const { status, requestId } = error as Partial<ReferralError>;
      trace([status ?? 'no reply', requestId && `request ${requestId}`].filter(Boolean).join(', '));
      throw error;
    }
  };
}
