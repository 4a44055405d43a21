import { keyStateAt, rotationHeaders, rotationOf, rotationWarning } from '#lib/domain/key-rotation.ts';
import { onTheWayOut } from '#lib/http/middleware.ts';

/**
 * Every answer to a key that is marked for rotation carries the three headers, errors and 429 included, and while the
 * key still works its body carries `warnings` (specification 5).
 */
export const keyRotationNotice = () =>
  onTheWayOut(async (call, reply) => {
    // A failed lookup has already made the answer a 500.
    const credential = await call.credential.catch(() => undefined);
    const rotation = credential?.class === 'programKey' ? rotationOf(credential) : undefined;
    if (!credential || !rotation) return;
    const { docsUrl } = call.deps.config;
    Object.assign(reply.headers, rotationHeaders(rotation, docsUrl));
    if (keyStateAt(credential, call.deps.now) === 'marked') {
      reply.body = { ...reply.body, warnings: [rotationWarning(rotation, docsUrl)] };
    }
  });
