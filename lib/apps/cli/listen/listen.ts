import { randomBytes } from 'node:crypto';
import { RateLimitError, ServerError } from '#lib/apps/client/errors/referral-error.ts';
import type { WebhookEvent, WebhookEventType } from '#lib/apps/client/webhooks/webhook-event.ts';
import { keyOfSecret } from '#lib/apps/client/webhooks/webhook-signature.ts';
import type { Command, Invocation } from '#lib/apps/cli/commands/command.ts';
import { openEventFeed } from '#lib/apps/cli/listen/event-feed.ts';
import { checkReceiverAddress, forwardEvent, type ReceiverAnswer } from '#lib/apps/cli/listen/event-receiver.ts';
import { Failure, failureOf } from '#lib/apps/cli/commands/failure.ts';
import type { CliEnvironment } from '#lib/apps/cli/machine/cli-environment.ts';
import { readProjectConfig } from '#lib/apps/cli/project/project-config.ts';
import { askAsAccount } from '#lib/apps/cli/machine/service.ts';
import type { ListedProgram } from '#lib/wire/programs/program.ts';

/** Waiting time per request of a poll, so that a poll with many requests is followed by a longer pause. */
const POLL_MS = 2_000;
/** Waiting time after a temporary failure. */
const PAUSE_SECONDS = 5;

const eventTypes: readonly string[] = Object.keys({
  'click.recorded': true,
  'lead.recorded': true,
  'lead.settled': true,
  'sale.recorded': true,
  'sale.updated': true,
  'sale.reattributed': true,
  'sale.refunded': true,
  'sale.disputed': true,
  'commission.created': true,
  'commission.held': true,
  'commission.released': true,
  'commission.approved': true,
  'commission.rejected': true,
  'commission.reopened': true,
  'commission.reduced': true,
  'commission.reversed': true,
  'commission.restored': true,
  'commission.recalculated': true,
  'commission.paid': true,
  'commission.unpaid': true,
  'payout.created': true,
  'payout.line_changed': true,
  'partner.added': true,
  'partner.applied': true,
  'partner.removed': true,
  'link.created': true,
  'code.created': true,
  'key.rotation_due': true,
  'endpoint.test': true,
} satisfies Record<WebhookEventType, true>);

/** Shows new events of a program, and forwards them to a receiver, until the person interrupts the command. */
export const listen: Command = {
  usage: '[--forward <url>] [flags]',
  summary: "show a program's events as they happen, and send them to your receiver",
  async run(invocation) {
    const { flags, world } = invocation;
    const { forward, events } = flags;
    const receiver = forward === undefined ? undefined : receiverAt(forward, world);
    const isWanted = wantedEvents(events);
    const programId = await programOf(invocation);
    const feed = openEventFeed(invocation, programId);
    // The first poll only finds out which events already exist; they are not shown. If the login is invalid, the
    // command ends here.
    await feed();
    const report = reporter(invocation);
    report.started(programId, receiver);
    const counts = { events: 0, delivered: 0 };

    async function untilInterrupted(): Promise<void> {
      for (let waitMs = POLL_MS; !world.interrupted.aborted;) {
        await world.sleep(waitMs);
        const look = await feed().catch((error: unknown) => {
          report.trouble(failureOf(error).message, secondsToPause(error));
          return { events: [], requests: (secondsToPause(error) * 1_000) / POLL_MS };
        });
        for (const event of look.events) {
          if (world.interrupted.aborted) return;
          if (!isWanted(event)) continue;
          counts.events++;
          report.event(event);
          const answers: ReceiverAnswer[] = [];
          const isTaken =
            receiver !== undefined &&
            (await forwardEvent(world, receiver, event, (answer, nextMs) => {
              answers.push(answer);
              report.answer(answer, nextMs);
            }));
          if (isTaken) counts.delivered++;
          report.done(event, answers);
        }
        waitMs = POLL_MS * look.requests;
      }
    }

    await Promise.race([untilInterrupted(), interruption(world.interrupted)]);
    const forwarded = receiver === undefined ? '' : `, ${counts.delivered} of them taken by the receiver`;
    return { json: counts, text: () => `Stopped. Events: ${counts.events}${forwarded}.` };
  },
};

/** How many seconds to wait before the next poll. @throws the error itself, if waiting would not help */
function secondsToPause(error: unknown): number {
  if (error instanceof RateLimitError) return error.retryAfterSeconds ?? PAUSE_SECONDS;
  if (error instanceof ServerError || failureOf(error).code === 'network_error') return PAUSE_SECONDS;
  throw error;
}

interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** Whether this run created the secret. If so, it must be shown, because the receiver needs it. */
  readonly isNewSecret: boolean;
}

function receiverAt(url: string, { environment: { SERVICE_WEBHOOK_SECRET: own } }: CliEnvironment): Receiver {
  checkReceiverAddress(url);
  if (own === undefined || own === '') {
    return { url, secret: `whsec_${randomBytes(32).toString('base64')}`, isNewSecret: true };
  }
  if (keyOfSecret(own)) return { url, secret: own, isNewSecret: false };
  throw new Failure('SERVICE_WEBHOOK_SECRET must be whsec_ and base64. Without it, every start makes a new secret.', {
    code: 'invalid_secret',
  });
}

function wantedEvents(list: string | undefined): (event: WebhookEvent) => boolean {
  if (list === undefined) return () => true;
  const types = list.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !eventTypes.includes(type));
  if (unknown !== undefined) {
    throw new Failure(`There is no such event: ${unknown}. Valid: ${eventTypes.join(', ')}`, {
      code: 'invalid_event_type',
    });
  }
  return ({ type }) => types.includes(type);
}

async function programOf(invocation: Invocation): Promise<number> {
  const { flags, world } = invocation;
  if (flags.program !== undefined) {
    if (/^[1-9]\d{0,14}$/.test(flags.program)) return Number(flags.program);
    throw new Failure('--program must be the number of a program. `affitor programs` lists them.');
  }
  const config = await readProjectConfig(world.folder);
  if (config?.program_id !== undefined) return config.program_id;
  const path = '/api/v1/cli/programs';
  const [only, ...others] = (await askAsAccount(invocation, { method: 'GET', path })) as ListedProgram[];
  if (only && others.length === 0) return only.id;
  throw new Failure(
    only
      ? 'Which program? Pass --program <id>. `affitor programs` lists them.'
      : 'No program yet. `affitor init` creates one.',
    { code: 'no_config' },
  );
}

const interruption = (signal: AbortSignal) =>
  new Promise<void>((ended) => {
    if (signal.aborted) ended();
    else signal.addEventListener('abort', () => ended(), { once: true });
  });

/** The names by which a person recognises an event: the payment, the link or code, and the partner. */
function namesIn({ data }: WebhookEvent): readonly string[] {
  const fields: Readonly<Record<string, unknown>> = { ...data };
  return [fields.transaction_id, fields.short_link, fields.code, fields.partner_name].filter(
    (name) => typeof name === 'string',
  );
}

/** Prints events: as lines of text while they are processed, or with `--json` as one object per event afterwards. */
function reporter({ flags: { json: isJson }, world, notice }: Invocation) {
  const print = (object: object, text: string) => world.out(isJson ? JSON.stringify(object) : text);
  const say = (text: string) => (isJson ? undefined : world.out(text));
  return {
    started(programId: number, receiver: Receiver | undefined) {
      const newSecret = receiver?.isNewSecret ? receiver.secret : undefined;
      const signedWith = newSecret === undefined ? ' SERVICE_WEBHOOK_SECRET. ' : `\n\n  ${newSecret}\n\n`;
      const to = receiver && `Forwarding to ${receiver.url}, signed with${signedWith}`;
      print(
        { program_id: programId, forward: receiver?.url ?? null, secret: newSecret ?? null },
        `Listening to program ${programId}. ${to ?? ''}Ctrl-C ends it.`,
      );
    },
    trouble: (message: string, seconds: number) => notice(`${message}. Asking again in ${seconds} s.`),
    event: (event: WebhookEvent) => say([event.timestamp, event.type, event.id, ...namesIn(event)].join('  ')),
    answer({ status_code, error, duration_ms }: ReceiverAnswer, nextMs: number | undefined) {
      const again = nextMs === undefined ? 'Not sent again' : `Again in ${nextMs / 1_000} s`;
      say(
        error === null
          ? `  → ${status_code} in ${duration_ms} ms`
          : `  → failed in ${duration_ms} ms: ${error}. ${again}.`,
      );
    },
    done: (event: WebhookEvent, attempts: readonly ReceiverAnswer[]) =>
      isJson ? world.out(JSON.stringify({ event, attempts })) : undefined,
  };
}
