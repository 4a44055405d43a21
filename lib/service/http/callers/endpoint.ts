import { programIdHint } from '#lib/service/ground/addresses/credential.ts';
import type { RateLimit } from '#lib/service/ground/values/rate-limits.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { authenticateProgramKey, type ProgramKeyRule } from '#lib/service/http/callers/authenticate.ts';
import { jsonBody } from '#lib/service/http/messages/body.ts';
import type { RequestContext, Json } from '#lib/service/http/messages/request-context.ts';
import { cors } from '#lib/service/http/clients/cors.ts';
import type { EndpointErrors } from '#lib/service/http/messages/envelope.ts';
import { type Handler, createHandler } from '#lib/service/http/messages/handler.ts';
import { keyRotationNotice } from '#lib/service/http/callers/key-rotation.ts';
import { type CountByAddress, type CountedAs, rateLimit } from '#lib/service/http/clients/rate-limit.ts';
import { warningsNotice } from '#lib/service/http/messages/warnings-notice.ts';
import type { ProgramKeyReply } from '#lib/wire/words/replies.ts';

/** What a tracking function declares: accepted credential, rate limit, fields, action, and format of its errors. */
export interface TrackingEndpoint<Body, Rule extends ProgramKeyRule> {
  readonly limit: RateLimit | ((config: Config) => RateLimit);
  readonly programKey: Rule;
  readonly countByAddress?: CountByAddress;
  readonly countedAs?: CountedAs;
  readonly errors: EndpointErrors;
  readonly requestIdOnlyOnFailure?: true;
  /** Set if pages of the program's allowed origins may read the reply. */
  readonly cors?: true;
  /** The maximum size of the body. Default: 256 KiB. */
  readonly largestBodyBytes?: number;
  /**
   * Checks the body. Undefined if the function does not read the body.
   * @throws Refusal for the first wrong field, in documented order
   */
  readonly body?: (json: Json, call: Pick<RequestContext, 'event' | 'deps' | 'authorization'>) => Body;
  /**
   * Starts the reads that depend only on the request. Their results are used after all checks.
   * @param hintedProgramId the program id in the program key, which is not verified yet
   */
  readonly readAhead: (deps: Deps, body: Body, hintedProgramId: number | undefined) => readonly Promise<unknown>[];
  readonly run: (
    deps: Deps,
    body: Body,
    keyProgramId: KeyProgramId<Rule>,
    seen: Pick<RequestContext, 'address' | 'isRepeat' | 'network' | 'isOfSeenNetwork' | 'warnings'>,
  ) => Promise<ProgramKeyReply>;
}

/** Type of the key's program id. Never undefined if the rule refuses malformed, empty and unknown keys. */
type KeyProgramId<Rule> = Rule extends Required<Omit<ProgramKeyRule, 'refusal'>> ? number : number | undefined;

/** Creates a handler that checks rate limit, credential and body, in this order. Its reads start meanwhile. */
export function programKeyEndpoint<Body, const Rule extends ProgramKeyRule>(
  declared: TrackingEndpoint<Body, Rule>,
): Handler {
  return createHandler({
    middlewares: [
      ...(declared.cors ? [cors()] : []),
      keyRotationNotice(),
      warningsNotice(),
      rateLimit(
        ({ deps }) => (typeof declared.limit === 'function' ? declared.limit(deps.config) : declared.limit),
        declared.countByAddress,
        declared.countedAs,
      ),
      authenticateProgramKey(declared.programKey),
    ],
    errors: declared.errors,
    requestIdOnlyOnFailure: declared.requestIdOnlyOnFailure,
    readBody: (call) => {
      // Only functions that declare no body get undefined.
      const body = declared.body?.(jsonBody(call.event, [], declared.largestBodyBytes), call) as Body;
      const { authorization, deps } = call;
      const startReads = (programId: number | undefined): void => {
        // The code that awaits a read handles its error. If no code awaits the read, because a check has refused the
        // request, the error must not end the process.
        for (const read of declared.readAhead(deps, body, programId)) read.catch(() => undefined);
      };
      const hint = authorization.scheme === 'bearer' ? programIdHint(authorization.token) : undefined;
      startReads(hint);
      // A key of the old format does not contain its program id, so its reads can start only after the key was found.
      // They are still in the same batch as the call that counts the request for the rate limit.
      call.credential.then(
        (credential) => {
          if (credential?.class === 'programKey' && credential.programId !== hint) startReads(credential.programId);
        },
        () => undefined,
      );
      return body;
    },
    run: async (call) => ({
      statusCode: 200,
      headers: {},
      body: await declared.run(call.deps, call.body() as Body, call.keyProgramId as KeyProgramId<Rule>, call),
    }),
  });
}
