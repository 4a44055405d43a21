import type { Command, Invocation } from '#lib/apps/cli/commands/command.ts';
import { writeCredentials } from '#lib/apps/cli/login/credentials.ts';
import { Failure } from '#lib/apps/cli/commands/failure.ts';
import { openService, type Service } from '#lib/apps/cli/machine/service.ts';
import { isSafeAddress } from '#lib/apps/cli/login/safe-address.ts';
import type { FetchedLogin, PolledLogin, StartedLogin } from '#lib/wire/people/login.ts';

const POLL_MS = 2_000;
const SESSION_MS = 5 * 60_000;
/** Lifetime of a login token. */
const TOKEN_MS = 90 * 86_400_000;

const CANCELLED = 'Login cancelled. Nothing was saved.';

/**
 * Logs in: the person signs in on a page of the dashboard, while this command polls for the token. The service returns
 * the token only once.
 */
export const login: Command = {
  usage: '',
  summary: 'log in with the browser',
  interrupted: CANCELLED,
  async run(invocation) {
    const { world } = invocation;
    const service = await openService(invocation);
    const started = (await service.ask({ method: 'POST', path: '/api/v1/cli/auth/start' })) as StartedLogin;
    await showSignIn(invocation, started);
    const { token, email, advertiser_id } = await signedIn(invocation, service, started);
    const nowMs = world.now();
    await writeCredentials(world.home, {
      token,
      email,
      advertiser_id,
      api_url: service.url,
      expires_at: new Date(nowMs + TOKEN_MS).toISOString(),
      created_at: new Date(nowMs).toISOString(),
    });
    return {
      json: { logged_in: true, email, advertiser_id },
      text: () => `Logged in as ${email}.`,
      next:
        advertiser_id === null
          ? `You belong to no workspace yet. Create one in the dashboard (${new URL(started.auth_url).origin}), or let \`affitor init\` create it.`
          : 'Next: `affitor programs` lists your programs, `affitor init` creates one for the project in this folder.',
    };
  },
};

async function showSignIn(
  { flags, world, notice }: Invocation,
  { auth_url: authUrl, code }: StartedLogin,
): Promise<void> {
  const print = flags.json ? world.error : world.out;
  print(`Sign in here:\n\n  ${authUrl}\n\nThe page must show this code:\n\n  ${code}\n`);
  // The address came from the service, so it is checked before a browser opens it.
  if (flags['no-interactive'] || !isSafeAddress(authUrl)) return;
  try {
    await world.openBrowser(authUrl);
  } catch {
    notice('No browser could be started. Open the address yourself, on any machine.');
  }
}

async function signedIn(invocation: Invocation, service: Service, started: StartedLogin): Promise<FetchedLogin> {
  const { world, person, notice } = invocation;
  const waiting = 'Waiting for you to sign in';
  const endSpin = person?.spin(waiting, CANCELLED);
  if (!person) notice(`${waiting} …`);
  try {
    const deadlineMs = deadlineOf(started.expires_at, world.now());
    while (world.now() < deadlineMs) {
      await world.sleep(POLL_MS);
      const poll = await polled(service, started.state);
      if (poll.status === 'complete') return poll;
      if (poll.status === 'expired') break;
    }
  } finally {
    endSpin?.();
  }
  throw new Failure('No one signed in within 5 minutes.', { advice: 'Run `affitor login` again.' });
}

/**
 * When to stop polling. If the clocks of this machine and of the service differ widely, only the service can decide
 * that the login attempt has expired.
 */
function deadlineOf(expiresAt: string, nowMs: number): number {
  const expiresAtMs = Date.parse(expiresAt);
  return expiresAtMs > nowMs ? expiresAtMs : nowMs + SESSION_MS;
}

async function polled(service: Service, state: string): Promise<PolledLogin> {
  const path = `/api/v1/cli/auth/poll?state=${encodeURIComponent(state)}`;
  try {
    return (await service.ask({ method: 'GET', path })) as PolledLogin;
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    if (status !== 400 && status !== 404) throw error;
    throw new Failure(message, { cause: error, advice: 'This login cannot be finished. Run `affitor login` again.' });
  }
}
