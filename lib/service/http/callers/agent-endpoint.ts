import { agentActor } from '#lib/service/ground/changes/audit.ts';
import type { AgentKey, AgentScope } from '#lib/service/ground/addresses/credential.ts';
import { numericIdOf } from '#lib/service/ground/values/identifier.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { agentKeyTexts, programNotFound, scopeMissing, unauthorized } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { hasField } from '#lib/service/http/messages/body.ts';
import type { RequestContext, Reply } from '#lib/service/http/messages/request-context.ts';
import { type Handler, createHandler } from '#lib/service/http/messages/handler.ts';
import { rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { type Body, type RequestInput, requestInput, wholeBody } from '#lib/service/http/callers/account-endpoint.ts';
import type { AccountData } from '#lib/wire/words/replies.ts';

/** What a function of `/api/agent/v1` declares. */
interface AgentEndpoint<Subject, Input> {
  readonly scope: AgentScope;
  /** Fields of the body for which the key needs one more scope. */
  readonly fields?: { readonly names: readonly string[]; readonly scope: AgentScope };
  readonly input: (sent: RequestInput) => Input;
  readonly run: (deps: Deps, subject: Subject, input: Input) => Promise<AccountData | Body>;
}

/** A function about the workspace of the agent key. */
export const agentWorkspaceEndpoint = <Input>(declared: AgentEndpoint<number, Input>): Handler =>
  agentEndpoint(declared, async (_, { workspaceId }) => workspaceId);

/** A function about a program in the path, which must belong to the key's workspace. */
export const agentProgramEndpoint = <Input>(declared: AgentEndpoint<Program, Input>): Handler =>
  agentEndpoint(declared, async ({ event, deps }, { workspaceId }) => {
    const programId = numericIdOf(event.pathParameters?.id);
    const program = programId === undefined ? undefined : await findProgram(deps.table, programId);
    if (program?.workspaceId !== workspaceId) throw programNotFound();
    deps.logContext.programId = program.id;
    return program;
  });

/** Creates a handler that checks in this order: rate limit, key, scope, path id, body. */
const agentEndpoint = <Subject, Input>(
  { scope, fields, input, run }: AgentEndpoint<Subject, Input>,
  subjectOf: (call: RequestContext, key: AgentKey) => Promise<Subject>,
): Handler =>
  createHandler({
    middlewares: [rateLimit(() => rateLimits.agent)],
    errors: { failure: 'Request failed', namesRequest: true },
    run: async (call): Promise<Reply> => {
      const key = await presentedKey(call, scope);
      if (fields && hasField(call.event, fields.names)) checkScope(key, fields.scope);
      const subject = await subjectOf(call, key);
      const deps: Deps = { ...call.deps, actor: agentActor(key) };
      return {
        statusCode: 200,
        headers: {},
        body: wholeBody(await run(deps, subject, input(requestInput(call)))),
      };
    },
  });

/** The agent key of the request. @throws Refusal 401, or 403 for a key without the scope */
async function presentedKey({ authorization, credential }: RequestContext, scope: AgentScope): Promise<AgentKey> {
  if (authorization.scheme === 'malformed') throw unauthorized(agentKeyTexts.malformed);
  if (authorization.token === '') throw unauthorized(agentKeyTexts.empty);
  const key = await credential;
  if (key?.class !== 'agentKey') throw unauthorized(agentKeyTexts.unknown);
  checkScope(key, scope);
  return key;
}

/** Checks that the key has the scope. @throws Refusal 403 */
function checkScope({ scopes }: AgentKey, scope: AgentScope): void {
  if (!scopes.includes(scope)) throw scopeMissing(scope);
}
