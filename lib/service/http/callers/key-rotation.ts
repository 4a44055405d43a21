import {
  keyStateAt,
  retirementNotice,
  type Rotation,
  rotationOf,
  rotationWarning,
} from '#lib/service/programs/keys/key-rotation.ts';
import type { ProgramKey } from '#lib/service/ground/addresses/credential.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { after } from '#lib/service/http/messages/middleware.ts';
import { withWarnings } from '#lib/service/http/messages/warnings-notice.ts';
import type { OwnersWarnings } from '#lib/wire/programs/rotation.ts';

/**
 * The warnings that the dashboard shows about a program key: it must be replaced, or its deadline is over and it no
 * longer works.
 */
export function rotationNotices(key: ProgramKey | undefined, { now, config }: Deps): { warnings?: OwnersWarnings } {
  const rotation = key && rotationOf(key);
  if (!rotation) return {};
  const warning = warningEntry(rotation, config.docsUrl);
  return { warnings: [keyStateAt(key, now) === 'marked' ? warning : { ...warning, ...retirementNotice(rotation) }] };
}

/**
 * A middleware that adds three headers to every reply, including errors and 429, if the request's key is marked for
 * rotation. While the key still works, it also adds `warnings` to the body.
 */
export const keyRotationNotice = () =>
  after(async (call, reply) => {
    // If the key could not be looked up, the reply is already a 500.
    const credential = await call.credential.catch(() => undefined);
    const rotation = credential?.class === 'programKey' ? rotationOf(credential) : undefined;
    if (credential?.class !== 'programKey' || !rotation) return;
    const { docsUrl } = call.deps.config;
    Object.assign(reply.headers, rotationHeaders(rotation, docsUrl));
    if (keyStateAt(credential, call.deps.now) === 'marked') {
      withWarnings(reply, [warningEntry(rotation, docsUrl)]);
    }
  });

const warningEntry = (rotation: Rotation, docsUrl: string) => ({
  ...rotationWarning(rotation),
  rotate_by: rotation.deadline.toISOString(),
  docs_url: docsUrl,
});

/** Headers of RFC 9745, RFC 8594 and RFC 8288. */
const rotationHeaders = ({ markedAt, deadline }: Rotation, docsUrl: string): Record<string, string> => ({
  Deprecation: `@${Math.floor(markedAt.getTime() / 1000)}`,
  Sunset: deadline.toUTCString(),
  Link: `<${docsUrl}#api_key_rotation_required>; rel="deprecation"`,
});
