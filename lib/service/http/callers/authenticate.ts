import { hourOf } from '#lib/service/ground/values/day.ts';
import { keyRetired, type Refusal, unauthorized } from '#lib/service/ground/values/refusals.ts';
import { keyStateAt, retirementNotice, rotationOf } from '#lib/service/programs/keys/key-rotation.ts';
import { type Middleware, before } from '#lib/service/http/messages/middleware.ts';
import { recordUse } from '#lib/service/http/callers/record-use.ts';
import { recordKeyUse } from '#lib/service/programs/program/programs-items.ts';

/**
 * A route's messages for a malformed, an empty and an unknown program key. Without a message, the request continues
 * without a key.
 */
export interface ProgramKeyRule {
  readonly malformed?: string;
  readonly empty?: string;
  readonly unknown?: string;
  /** Builds the refusal. By default its reply has the platform's error format. */
  readonly refusal?: (text: string) => Refusal;
}

/** Refuses the request if the route has a message for this case. */
const refuseMissingKey = (text: string | undefined, refusal = unauthorized): void => {
  if (text !== undefined) throw refusal(text);
};

/**
 * A middleware that sets the program of the request's key. A request without a key is refused as the route's rule says;
 * one with a retired key is always refused.
 */
export const authenticateProgramKey = (rule: ProgramKeyRule): Middleware =>
  before(async (call) => {
    const { authorization, deps } = call;
    if (authorization.scheme === 'malformed') return refuseMissingKey(rule.malformed, rule.refusal);
    if (authorization.token === '') return refuseMissingKey(rule.empty, rule.refusal);
    const credential = await call.credential;
    if (credential?.class !== 'programKey') return refuseMissingKey(rule.unknown, rule.refusal);
    const rotation = rotationOf(credential);
    if (rotation && keyStateAt(credential, deps.now) === 'retired') {
      throw keyRetired({ ...retirementNotice(rotation), docsUrl: deps.config.docsUrl });
    }
    call.keyProgramId = credential.programId;
    recordUse(call, credential.lastUsedAt, hourOf(deps.now), recordKeyUse);
  });
