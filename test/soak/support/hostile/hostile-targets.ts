import * as fc from 'fast-check';
import { routes } from '#infra/routes.ts';
import { anyText } from '#test/soak/support/hostile/hostile-values.ts';
import type { Scene } from '#test/soak/support/scene.ts';

/** The target of a request. */
export interface Target {
  readonly method: string;
  readonly path: string;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const oddSegments = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1e3',
    '1.0',
    '9007199254740993',
    '%00',
    '%2e%2e',
    '..',
    '%',
    '%zz',
    '%f0%28',
    'x'.repeat(2_000),
  ),
  anyText.map(encoded),
);

const oddPaths = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '/api',
    '/api/v1/../../x',
    '/API/V1/TRACK/CLICK',
    '/api/v1/track/click/',
    '/.env',
    '/js/tracker.js',
    '/js/payment-links.js',
    '/docs/errors',
    '/config.json',
  ),
  fc.array(oddSegments, { maxLength: 8 }).map((segments) => `/api/v1/${segments.join('/')}`),
);

const queryNames =
  'limit cursor from to type status partner_id include_test force_recheck state code error program_id'.split(' ');
const queries = fc.dictionary(
  fc.oneof(fc.constantFrom(...queryNames), anyText),
  fc.oneof(fc.constantFrom('1', '100', 'true', '2026-01-01', 'sale', 'pending', 'x'.repeat(2_000)), anyText),
  { maxKeys: 3 },
);

/** Targets of requests: mostly a route with its own method, with path parameters that are the brand's or random. */
export function hostileTargets(scene: Scene): fc.Arbitrary<Target> {
  const ofRoute = fc.constantFrom(...routes).chain(({ method, path }) =>
    fc.record({
      method: fc.oneof(
        { weight: 9, arbitrary: method === 'ANY' ? fc.constantFrom(...methods) : fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...methods) },
      ),
      path: filled(path, scene),
    }),
  );
  const odd = fc.record({ method: fc.constantFrom(...methods), path: oddPaths });
  const anywhere = fc.oneof({ weight: 14, arbitrary: ofRoute }, { weight: 1, arbitrary: odd });
  return fc.tuple(anywhere, queries).map(([{ method, path }, query]) => {
    const search = Object.entries(query).map((pair) => pair.map(encoded).join('='));
    return { method, path: search.length > 0 ? `${path}?${search.join('&')}` : path };
  });
}

/** The path of a route with values for its parameters. */
function filled(path: string, { brand, otherProgramId, transactionId }: Scene): fc.Arbitrary<string> {
  const own: Readonly<Record<string, string>> = {
    // A new key for the brand's own program would turn all later requests into ones without a key.
    id: String(path.endsWith('/api-key') ? otherProgramId : brand.programId),
    program_id: String(brand.programId),
    partner_id: String(brand.partnerId),
    account_id: '1',
    short_link: brand.shortLink,
    transaction_id: transactionId,
    commission_id: '1',
  };
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    return fc.oneof({ weight: 3, arbitrary: fc.constant(own[name]!) }, { weight: 1, arbitrary: oddSegments });
  });
  return fc.tuple(...segments).map((values) => values.join('/'));
}
