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
      summary: 'Is the integration complete?',
      description:
        'Which gates are passed, the first that is not, and what to do next. Errors take the typed envelope.',
      parameters: [inQuery('force_recheck', '`true` or `1`: skip any cache.')],
      ok: [Readiness],
      failures: ['Failed to compute readiness. Retry shortly.'],
    },
  ),

  'cli/auth/start': operation(login, {
    id: 'startLogin',
    summary: 'Begin a login',
    ok: [data(StartedLogin)],
    failures: ['Failed to start auth session'],
  }),

  'cli/auth/request': operation(login, {
    id: 'getLoginRequest',
    summary: 'Which terminal asks?',
    description: 'For the page behind `auth_url`, before the person confirms the login.',
    parameters: [{ ...inQuery('state', 'Of the login.'), isRequired: true }],
    ok: [data(LoginRequest)],
    refusals: [refusals.loginStateMissing(), refusals.loginExpired(), refusals.loginNotFound()],
    failures: ['Failed to read auth session'],
  }),

  'cli/auth/callback': operation(login, {
    id: 'completeLogin',
    summary: 'Complete a login',
    description: 'Sent by the page behind `auth_url` when the person has signed in.',
    body: z.object({ state: text, id_token: about('Of the configured issuer.', text) }),
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
    summary: 'Fetch the login token, once',
    parameters: [{ ...inQuery('state', 'Of the login.'), isRequired: true }],
    ok: [data(WaitingLogin), data(FetchedLogin)],
    refusals: [refusals.loginStateMissing(), refusals.loginConsumed(), refusals.loginUnknown()],
    failures: ['Failed to poll auth session'],
  }),

  'cli/init': operation(account, {
    id: 'initProgram',
    summary: 'Create a program',
    description: 'Not idempotent: list the programs before another try. No answer holds the key.',
    body: z.object({
      name: text,
      domain: text,
      commission_type: CommissionType,
      commission_rate: rate,
      duration_months: z.nullish(z.int()),
      attribution_window_days: z.nullish(z.int()),
      sandbox: about('Exactly true: a program for rehearsals.', z.optional(z.boolean())),
      cookie_duration: about('Another name of `attribution_window_days`.', z.nullish(z.int())),
      advertiser_id: about("Leave it out: it is the login's.", z.nullish(z.union([z.int(), text]))),
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
      summary: "A program's health",
      description: 'Real events of the last 24 hours. `X-Request-ID` comes with a 500 only.',
      ok: [data(ProgramHealth)],
      failures: ['Failed to get status'],
    },
  ),

  'cli/test-event': operation(program, {
    id: 'sendTestEvent',
    summary: 'Send a synthetic event, or the whole verification chain',
    description: '`type: "chain"` wins over `event_type`. A program may run ten chains an hour.',
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
      description: 'Connect the processor from the dashboard.',
      refusals: [refusals.paymentConnectRetired()],
      failures: ['Request failed'],
    },
  ),
} satisfies Readonly<Record<string, Operation>>;
