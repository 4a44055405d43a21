import {
  keyStateAt,
  retirementNotice,
  rotationHeaders,
  rotationOf,
  rotationWarning,
} from '#lib/domain/key-rotation.ts';
import type { ProgramKey } from '#lib/domain/credential.ts';
import type { Deps } from '#lib/service/deps.ts';
import { after } from '#lib/service/triggers/http/middleware.ts';
import type { OwnersWarnings } from '#lib/wire/rotation.ts';

/** `warnings` of a program that its dashboard shows: of a retired key too, in other words (contract 15.3). */
export function rotationNotices(key: ProgramKey | undefined, { now, config }: Deps): { warnings?: OwnersWarnings } {
  const rotation = key && rotationOf(key);
  if (!rotation) return {};
  const warning = rotationWarning(rotation, config.docsUrl);
  if (keyStateAt(key, now) === 'marked') return { warnings: [warning] };
  const { message, hint } = retirementNotice(rotation, config.docsUrl);
  return { warnings: [{ ...warning, message, hint }] };
}

/**
 * Every answer to a key that is marked for rotation carries the three headers, errors and 429 included, and while the
 * key still works its body carries `warnings` (specification 5).
 */
export const keyRotationNotice = () =>
  after(async (call, reply) => {
    // A failed lookup has already made the answer a 500.
    const credential = await call.credential.catch(() => undefined);
    const rotation = credential?.class === 'programKey' ? rotationOf(credential) : undefined;
    if (credential?.class !== 'programKey' || !rotation) return;
    const { docsUrl } = call.deps.config;
    Object.assign(reply.headers, rotationHeaders(rotation, docsUrl));
    if (keyStateAt(credential, call.deps.now) === 'marked') {
      reply.body = { ...reply.body, warnings: [rotationWarning(rotation, docsUrl)] };
    }
  });
