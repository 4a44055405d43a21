import * as z from 'zod/mini';
import { commissionTypes } from '#lib/service/programs/terms/terms.ts';
import { steps } from '#lib/service/reports/figures/readiness.ts';
import { MOST_PROGRAMS } from '#lib/service/people/workspaces/workspace.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { fieldTexts, REQUIRED_FIELDS } from '#lib/wire/words/field-texts-request.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { about, CommissionType, rate, text } from '#lib/wire/words/fields.ts';
import { type Family, type Operation, operation } from '#lib/wire/document/operation.ts';
import { inQuery } from '#lib/wire/words/parameters.ts';
import { CompletedLogin, FetchedLogin, LoginRequest, StartedLogin, WaitingLogin } from '#lib/wire/people/login.ts';
import { CreatedProgram, ListedProgram, ProgramHealth } from '#lib/wire/programs/program.ts';
import { ChainResult, Readiness, SentTestEvent } from '#lib/wire/reports/readiness.ts';
import { data } from '#lib/wire/words/wrapped.ts';

const base = { tag: 'Command line', errors: { namesRequest: true }, isCounted: true } as const;
const login: Family = { ...base, security: ['anonymous'], refusals: [] };
const account: Family = {
  ...base,

  security: ['loginToken'],
  refusals: Object.values(refusals.cliLoginTexts).map(refusals.unauthorized),
};
const program: Family = {
  ...base,

  security: ['programKey'],
  refusals: Object.values(refusals.cliKeyTexts).map(refusals.unauthorized),
  rotates: true,
};

export const cliRoutes = {
  'programs/readiness': operation(
    {
      ...program,

      tag: 'Readiness',
      errors: { retryAfterSeconds: 10 },
      refusals: Object.values(refusals.readinessKeyTexts).map(refusals.keyInvalid),
    },
    {
      id: 'getReadiness',
      summary: 'Check whether the integration is complete',
      description:
        'Lists which gates are passed, the first one that is not, and the next step. Errors have the typed envelope.',
      parameters: [inQuery('force_recheck', '`true` or `1` bypasses caches.')],
      ok: [Readiness],
      failures: ['Failed to compute readiness. Retry shortly.'],
    },
  ),

  'cli/auth/start': operation(login, {
    id: 'startLogin',
    summary: 'Start a login',
    ok: [data(StartedLogin)],
    failures: ['Failed to start auth session'],
  }),

  'cli/auth/request': operation(login, {
    id: 'getLoginRequest',
    summary: 'Show which terminal wants to log in',
    description: 'For the page behind `auth_url`, before the person confirms the login.',
    parameters: [{ ...inQuery('state', 'The `state` of the login.'), isRequired: true }],
    ok: [data(LoginRequest)],
    refusals: [refusals.loginStateMissing(), refusals.loginExpired(), refusals.loginNotFound()],
    failures: ['Failed to read auth session'],
  }),

  'cli/auth/callback': operation(login, {
    id: 'completeLogin',
    summary: 'Complete a login',
    description: 'The page behind `auth_url` sends it when the person has signed in.',
    body: z.object({ state: text, id_token: about('An id token of the configured issuer.', text) }),
    ok: [data(CompletedLogin)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(['state', 'id_token']),
      refusals.loginExpired(),
      refusals.idTokenInvalid(),
      refusals.accountSuspended(),
      refusals.invitationNeeded(),
      refusals.emailDomainRefused(),
      refusals.loginNotFound(),
    ],
    failures: ['Auth callback failed'],
  }),

  'cli/auth/poll': operation(login, {
    id: 'pollLogin',
    summary: 'Fetch the login token (once)',
    parameters: [{ ...inQuery('state', 'The `state` of the login.'), isRequired: true }],
    ok: [data(WaitingLogin), data(FetchedLogin)],
    refusals: [refusals.loginStateMissing(), refusals.loginConsumed(), refusals.loginUnknown()],
    failures: ['Failed to poll auth session'],
  }),

  'cli/init': operation(account, {
    id: 'initProgram',
    summary: 'Create a program',
    description: 'Not idempotent: list the programs before you try again. The reply does not contain a key.',
    body: z.object({
      name: text,
      domain: text,
      commission_type: CommissionType,
      commission_rate: rate,
      duration_months: z.nullish(z.int()),
      attribution_window_days: z.nullish(z.int()),
      sandbox: about('Exactly true creates a sandbox program, for rehearsals.', z.optional(z.boolean())),
      cookie_duration: about('Alias of `attribution_window_days`.', z.nullish(z.int())),
      advertiser_id: about('Omit it: the login determines it.', z.nullish(z.union([z.int(), text]))),
    }),
    ok: [data(CreatedProgram)],
    refusals: [
      ...bodyRefusals,
      refusals.missingFields(REQUIRED_FIELDS),
      refusals.badRequest(fieldTexts.name),
      refusals.notOneOf('commission_type', ANY_TEXT, commissionTypes),
      refusals.badRequest(fieldTexts.rate),
      refusals.noAdvertiser(),
      refusals.foreignAdvertiser(),
      refusals.programsFull(MOST_PROGRAMS),
    ],
    failures: ['Failed to create program'],
  }),

  'cli/programs': operation(account, {
    id: 'listOwnPrograms',
    summary: 'List the programs of the account',
    ok: [data(z.array(ListedProgram))],
    failures: ['Failed to list programs'],
  }),

  'cli/status': operation(
    { ...program, requestIdOnlyOnFailure: true },
    {
      id: 'getStatus',
      summary: 'Read the health of a program',
      description: 'Covers real events of the last 24 hours. Only a 500 has the header `X-Request-ID`.',
      ok: [data(ProgramHealth)],
      failures: ['Failed to get status'],
    },
  ),

  'cli/test-event': operation(program, {
    id: 'sendTestEvent',
    summary: 'Send a synthetic event, or the whole verification chain',
    description: '`type: "chain"` takes precedence over `event_type`. The limit is ten chains per hour and program.',
    body: z.object({
      type: z.optional(z.literal('chain')),
      event_type: about('Required unless `type` is `chain`.', z.optional(z.enum(steps))),
    }),
    ok: [data(SentTestEvent), data(ChainResult)],
    refusals: [...bodyRefusals, refusals.notOneOf('event_type', ANY_TEXT, steps), refusals.tooManyChains(ANY_NUMBER)],
    failures: ['Failed to run synthetic chain', 'Failed to process test event'],
  }),

  'cli/payment-connect': operation(
    { ...login, errors: {}, isCounted: 'butForOptions' },
    {
      id: (method) => `paymentConnect${method[0]}${method.slice(1).toLowerCase()}`,
      summary: 'Retired',
      description: 'Not supported: connect the processor in the dashboard.',
      refusals: [refusals.paymentConnectRetired()],
      failures: ['Request failed'],
    },
  ),
} satisfies Readonly<Record<string, Operation>>;
