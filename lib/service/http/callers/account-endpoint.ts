import { actorOf, type AuditActor } from '#lib/service/ground/changes/audit.ts';
import { browserOf } from '#lib/service/people/accounts/browser.ts';
import { coarseAddress, type Device } from '#lib/service/ground/addresses/login-token.ts';
import { type RateLimit, rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { cliLoginTexts, dashboardLoginTexts, ownerOnly, signInOnPage } from '#lib/service/ground/values/refusals.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  type AccountCaller,
  accountCaller,
  type LoginTexts,
  type MemberCaller,
  memberCaller,
  type ProgramCaller,
  programCaller,
} from '#lib/service/http/callers/authorize.ts';
import { bytesOf, hasField, jsonBody } from '#lib/service/http/messages/body.ts';
import { clientAddress, clientPlace } from '#lib/service/http/clients/client-address.ts';
import { plainAddress } from '#lib/service/http/clients/client-network.ts';
import type { RequestContext, Json, Reply } from '#lib/service/http/messages/request-context.ts';
import { type EndpointErrors, refusalOf } from '#lib/service/http/messages/envelope.ts';
import { type Handler, createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { checkSignIn, type RecentSignIn } from '#lib/service/http/callers/recent-sign-in.ts';
import type { FactRows } from '#lib/wire/outbox/fact.ts';
import type { AccountData, Row } from '#lib/wire/words/replies.ts';
import type { OwnersWarnings } from '#lib/wire/programs/rotation.ts';
import type { Data, RankedListOf } from '#lib/wire/words/wrapped.ts';

/** The parts of a request other than its credential. */
export interface RequestInput {
  /** The body as a JSON object. @throws Refusal when the body is not a JSON object */
  readonly json: () => Json;
  /** The body as it was sent. */
  readonly bytes: () => Uint8Array;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Cookies of the request, each as `name=value`. */
  readonly cookies: readonly string[];
  /** The location and browser of the caller. */
  readonly device: () => Promise<Omit<Device, 'kind'>>;
  /** The caller's complete address. It may be shown to the caller, but must not be stored. */
  readonly wholeAddress: () => Promise<string>;
}

interface Callers {
  readonly anyone: undefined;
  readonly account: AccountCaller;
  readonly workspace: MemberCaller;
  readonly program: ProgramCaller;
}

type AnyCaller = Callers[keyof Callers];

/** What a function for an account declares, except who may call it. */
export interface EndpointWork<Caller, Input, Subject> {
  /**
   * Loads the subject that the path names, within the workspace or program. A query parameter may name the subject
   * instead, because a path cannot contain every text.
   * @throws Refusal when it does not exist
   */
  readonly subject?: (deps: Deps, caller: Caller, named: RequestInput['path']) => Promise<Subject>;
  /** Fields that the caller can remove by sending null. In other fields null means that the field is not sent. */
  readonly clearable?: readonly string[];
  /**
   * Requires a recent sign-in, so that a stolen session cannot do this, and refuses terminals' tokens. `true` = every
   * call requires a sign-in within the last 15 minutes.
   */
  readonly recentSignIn?: true | RecentSignIn<NonNullable<Caller>, Subject>;
  /** Whether terminals' tokens are accepted. By default they are only accepted for reads. */
  readonly terminal?: boolean;
  /** Checks the fields of the request. @throws Refusal for the first wrong field */
  readonly input: (sent: RequestInput, now: Date, config: Config) => Input;
  /**
   * Performs the function's action.
   * @param textOf returns the text that the reply shows for an error, and logs internal failures; for routes whose
   * reply has several results
   * @returns the reply's `data`, or a `Body` with further keys
   */
  readonly run: (
    deps: Deps,
    caller: Caller,
    input: Input,
    subject: Subject,
    textOf: (error: unknown) => string,
  ) => Promise<AccountReply>;
}

/** The declaration of a function of the dashboard or of the CLI's account routes. */
export interface AccountEndpoint<Needs extends keyof Callers, Input, Subject> extends EndpointWork<
  Callers[Needs],
  Input,
  Subject
> {
  /** Who may call the function: anyone, an account, a workspace member, or a member whose workspace has the program. */
  readonly needs: Needs;
  /** Only a workspace owner may call the function. */
  readonly owner?: true;
  /** A request that contains any of these fields is refused unless it comes from a workspace owner. */
  readonly ownerFields?: readonly string[];
}

type AccountReply = AccountData | Body | Redirect | TextFile;

/** What all routes of a family have in common. */
export interface RouteFamily {
  readonly limit: RateLimit;
  readonly login: LoginTexts;
  readonly errors: EndpointErrors;
}

export const requestInput = (
  { event, deps }: Pick<RequestContext, 'event' | 'deps'>,
  clearable?: readonly string[],
): RequestInput => ({
  json: () => jsonBody(event, clearable),
  bytes: () => bytesOf(event),
  query: event.queryStringParameters ?? {},
  path: event.pathParameters ?? {},
  cookies: event.cookies ?? [],
  device: async () => ({
    address: coarseAddress(await clientAddress({ event, deps })),
    browser: browserOf(event.headers['user-agent']),
    place: await clientPlace({ event, deps }),
  }),
  wholeAddress: async () => plainAddress(await clientAddress({ event, deps })),
});

/** Identifies and checks a caller. `allows` runs before the request's fields are read, `permits` afterwards. */
interface CallerChecks<Caller> {
  readonly identify: (call: RequestContext) => Promise<Caller>;
  /** The name of the caller in the audit list. */
  readonly actor: (caller: Caller) => AuditActor | undefined;
  /** Checks whether the caller may do this to the subject. @throws Refusal when the caller may not */
  readonly allows?: (caller: Caller, now: Date, call: RequestContext) => void;
  /** Checks whether the caller's state permits the action. @throws Refusal when the state does not permit it */
  readonly permits?: (caller: Caller, now: Date) => void;
}

/**
 * Creates a handler that checks in this order: rate limit, credential, ids in the path, role, sign-in, fields, state.
 */
export const checkedEndpoint = <Caller extends AccountCaller | undefined, Input, Subject>(
  { limit, errors }: RouteFamily,
  { identify, actor, allows, permits }: CallerChecks<Caller>,
  { subject: subjectOf, clearable, recentSignIn, terminal, input, run }: EndpointWork<Caller, Input, Subject>,
): Handler =>
  createHandler({
    middlewares: [rateLimit(() => limit)],
    errors,
    run: async (call): Promise<Reply> => {
      const sent = requestInput(call, clearable);
      const caller = await identify(call);
      const deps: Deps = { ...call.deps, actor: actor(caller) };
      // Functions that declare no subject get undefined.
      const subject = (await subjectOf?.(deps, caller, { ...sent.query, ...sent.path })) as Subject;
      allows?.(caller, deps.now, call);
      const isRead = call.event.requestContext.http.method === 'GET';
      if (caller?.kind === 'cli' && !(terminal ?? isRead)) throw signInOnPage();
      if (caller && recentSignIn) await checkSignIn(recentSignIn, { deps, caller, sent, subject });
      const textOf = (error: unknown) => refusalOf(call, error, errors).message;
      const wanted = input(sent, deps.now, deps.config);
      permits?.(caller, deps.now);
      const data = await run(deps, caller, wanted, subject, textOf);
      if (data instanceof TextFile || data instanceof Redirect) return data.reply;
      return { statusCode: 200, headers: {}, body: wholeBody(data), ...(data instanceof Body && data.more) };
    },
  });

function accountEndpoint<Needs extends keyof Callers, Input, Subject>(
  family: RouteFamily,
  { needs, owner, ownerFields = [], ...work }: AccountEndpoint<Needs, Input, Subject>,
): Handler {
  const { login } = family;
  const identify: { [Each in keyof Callers]: (call: RequestContext) => Promise<Callers[Each]> } = {
    anyone: async () => undefined,
    account: (call) => accountCaller(call, login),
    workspace: (call) => memberCaller(call, login),
    program: (call) => programCaller(call, login),
  };
  const allows = (caller: AnyCaller, _: Date, { event }: RequestContext): void => {
    if (!isOwner(caller) && (owner || hasField(event, ownerFields, work.clearable))) throw ownerOnly();
  };
  return checkedEndpoint(family, { identify: identify[needs], actor, allows }, work);
}

const actor = (caller: AnyCaller) => caller && actorOf(caller.account);
const isOwner = (caller: AnyCaller): boolean => caller !== undefined && 'role' in caller && caller.role === 'owner';
export const wholeBody = (data: AccountData | Body): WholeBody => (data instanceof Body ? data.whole : { data });

type WholeBody = RankedListOf<Row> | FactRows | (Data<AccountData> & { readonly warnings?: OwnersWarnings });

/** A reply with keys next to `data`, or with cookies. */
export class Body<Whole extends WholeBody = WholeBody> {
  readonly whole: Whole;
  readonly more: Pick<Reply, 'cookies'>;

  constructor(whole: Whole, more: Pick<Reply, 'cookies'> = {}) {
    this.whole = whole;
    this.more = more;
  }
}

/** A redirect of the browser. */
export class Redirect {
  readonly reply: Reply;

  constructor(location: string) {
    this.reply = { statusCode: 302, headers: { Location: location } };
  }
}

/** A reply that is a file to download. */
export class TextFile {
  readonly reply: Reply;

  constructor(name: string, type: string, text: string) {
    const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
    this.reply = { statusCode: 200, headers, text };
  }
}

export const dashboardFamily: RouteFamily = {
  limit: rateLimits.dashboard,
  login: dashboardLoginTexts,
  errors: { failure: 'Request failed', namesRequest: true },
};

/** A function of `/api/dashboard/v1`. */
export const dashboardEndpoint = <Needs extends keyof Callers, Input, Subject>(
  declared: AccountEndpoint<Needs, Input, Subject>,
): Handler => accountEndpoint(dashboardFamily, declared);

/** A function of the CLI's login and account routes. @param failure the route's 500 text, without the request id */
export const cliEndpoint = <Needs extends keyof Callers, Input, Subject>(
  failure: string,
  declared: AccountEndpoint<Needs, Input, Subject>,
): Handler =>
  accountEndpoint(
    {
      limit: rateLimits.cli,
      login: cliLoginTexts,
      errors: { failure, namesRequest: true },
    },
    // Terminals' tokens are accepted, because the CLI uses these routes.
    { ...declared, terminal: true },
  );
