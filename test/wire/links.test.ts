import { describe, expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { openApiDocument } from '#lib/wire/document/document.ts';
import { examplesOf } from '#lib/wire/document/examples.ts';

interface Link {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

interface Written {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}

const { paths } = openApiDocument(routes) as { paths: Readonly<Record<string, Readonly<Record<string, Written>>>> };
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...operation })),
);
const links = operations.flatMap(({ path, operationId, responses }) =>
  Object.values(responses['200']?.links ?? {}).map((link) => ({ from: operationId, path, to: link.operationId, link })),
);

const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`);

/** The value of an expression in an operation's recorded requests and replies. */
function valuesOf(expression: string, operationId: string): unknown[] {
  const [, side, pointer = ''] = /^\$(request|response)\.body#\/(.*)$/.exec(expression) ?? [];
  const { request = {}, replies } = examplesOf(operationId);
  return Object.values(side === 'request' ? request : replies[200]!)
    .map(({ value }) => pointer.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], value))
    .filter((value) => value !== undefined && value !== null);
}

describe('a link between two operations of the OpenAPI document', () => {
  it.each(links)('from $from to $to has all parameters of the path', ({ path, to, link }) => {
    const target = operations.find(({ operationId }) => operationId === to)!;
    const needed = link.parameters ? pathParameters(target.path) : [];
    expect(Object.keys(link.parameters ?? {})).toEqual(needed);
    const taken = Object.values(link.parameters ?? {}).filter((expression) => expression.startsWith('$request.path.'));
    expect(pathParameters(path)).toEqual(expect.arrayContaining(taken.map((each) => each.replace('$request.', ''))));
  });

  it.each(links)(
    'from $from to $to takes its values from fields that a recorded request or reply has',
    ({ from, link }) => {
      const expressions = [...Object.values(link.parameters ?? {}), ...Object.values(link.requestBody ?? {})];
      for (const expression of expressions.filter((each) => each.includes('.body#'))) {
        expect(valuesOf(expression, from)).toContainEqual(expect.toSatisfy(isKey));
      }
    },
  );
});

const isKey = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const reached = (from: string) => links.filter((link) => link.from === from).map(({ to }) => to);

it('links lead from creating a program, partner or endpoint to what can be done with it, and from a refund to its sale', () => {
  expect(reached('createProgram')).toEqual(expect.arrayContaining(['getProgram', 'addPartner', 'listPayouts']));
  expect(reached('addPartner')).toContain('grantCommission');
  expect(reached('grantCommission')).toContain('approveCommission');
  expect(reached('createWebhookEndpoint')).toContain('listWebhookDeliveries');
  expect(reached('payOut')).toEqual([
    'getPayout',
    'referToPayout',
    'listPayoutFiles',
    'continuePayout',
    'listPayoutLines',
    'changePayoutLines',
  ]);
  expect(reached('getPartnerMe')).toContain('createOwnLink');
  expect(reached('listCommissions')).toEqual(['explainSale', 'correctRefund']);
  expect(reached('listPartners')).toEqual([]);
  expect(reached('trackSale')).toEqual(['trackRefund']);
});

/**
 * Operations without links: another application creates their path parameters, or they are null in some replies, or they
 * are in lists below another resource.
 */
const unreached = [
  'receiveProgramEvent',
  'getBrandShown',
  'getLogo',
  'getProgramToJoin',
  'getStatement',
  'joinProgram',
  'removeMember',
  'retryUnsoldPayment',
];

it('every operation with a path parameter is the target of a link, except for those in a list of known exceptions', () => {
  const targets = new Set(links.map(({ to }) => to));
  const named = operations.filter(({ path }) => path.includes('{')).map(({ operationId }) => operationId);
  expect(named.filter((operationId) => !targets.has(operationId)).toSorted()).toEqual(unreached.toSorted());
});
