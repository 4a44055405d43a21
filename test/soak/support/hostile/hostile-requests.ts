import * as fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { freshAddress, type Request } from '#test/live/caller.ts';
import { hostileBodies } from '#test/soak/support/hostile/hostile-bodies.ts';
import { hostileTargets, type Target } from '#test/soak/support/hostile/hostile-targets.ts';
import { anyText } from '#test/soak/support/hostile/hostile-values.ts';
import type { Scene } from '#test/soak/support/scene.ts';

type Signature = 'right' | 'of the past' | 'wrong' | 'odd';
const signatures: readonly Signature[] = ['right', 'right', 'of the past', 'wrong', 'odd'];

/** Requests to all routes that reach as deep as possible before an error is found. */
export const hostileRequests = (scene: Scene): fc.Arbitrary<Request> =>
  fc
    .record({
      target: hostileTargets(scene),
      body: hostileBodies(scene),
      authorization: fc.oneof(
        { weight: 6, arbitrary: fc.constant('the right one') },
        { weight: 1, arbitrary: fc.constantFrom(scene.brand.key, scene.agentKey, 'x').map((key) => `Bearer ${key}`) },
        { weight: 1, arbitrary: fc.constantFrom('', 'Bearer', 'Bearer  ', 'bearer x', 'Basic YTpi') },
        { weight: 1, arbitrary: anyText.map((text) => `Bearer ${text}`) },
      ),
      signature: fc.constantFrom(...signatures),
      headers: oddHeaders,
    })
    .map(({ target, body, authorization, signature, headers }) => ({
      ...target,
      body,
      headers: sendable({
        'x-forwarded-for': freshAddress(),
        'stripe-signature': signatureOf(body, signature, scene),
        authorization: authorization === 'the right one' ? `Bearer ${credentialFor(target, scene)}` : authorization,
        ...headers,
      }),
    }));

function credentialFor({ method, path }: Target, { brand, agentKey, spareToken }: Scene): string {
  if (path.startsWith('/api/agent/')) return agentKey;
  if (path.startsWith('/api/dashboard/'))
    return method === 'DELETE' && path.includes('/session') ? spareToken : brand.token;
  return /^\/api\/v1\/cli\/(init|programs)/.test(path) ? brand.token : brand.key;
}

function signatureOf(body: Buffer, kind: Signature, { signingSecret, now }: Scene): string {
  const seconds = Math.floor(now / 1_000) - (kind === 'of the past' ? 3_600 : 0);
  const secret = kind === 'wrong' ? 'whsec_wrong' : signingSecret;
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return kind === 'odd' ? `v1=${digest},t=,t=-1,,=` : `t=${seconds},v1=${digest}`;
}

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'content-encoding',
    'content-type',
    'cookie',
    'forwarded',
    'host',
    'if-none-match',
    'origin',
    'range',
    'referer',
    'user-agent',
    'x-amzn-trace-id',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-http-method-override',
    'x-original-url',
    'x-request-id',
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '*',
      'null',
      'gzip',
      'text/plain',
      'application/json; charset=utf-16',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'https://evil.test',
      'https://%00.test',
      'service_connect=x; service_connect=y',
      'bytes=0-18446744073709551615',
      '127.0.0.1, ::1, unknown',
      'DELETE',
      'a'.repeat(1_500),
    ),
    anyText,
  ),
  { maxKeys: 3 },
);

/** Headers with characters that HTTP allows; `sendBroken` sends the others. */
const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')]),
  );
