import { beforeAll, expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { examplesOf } from '#lib/wire/document/examples.ts';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { deployedRecorder, deployedWorld, type Visit } from '#test/deployed/support/deployed-journey.ts';
import { deployment } from '#test/deployed/support/deployed.ts';
import { type Edge, openEdge } from '#infra/emulator/edge.ts';
import { openUserPool } from '#infra/emulator/sign-in.ts';
import { liveThroughInterface } from '#test/wire/journey.ts';

/** Examples whose replies depend on the time, which a deployed service takes from the real clock. */
const atAnotherTime: ReadonlySet<string> = new Set(['recordSale outside-the-attribution-window']);

const visits: Visit[] = [];
let failure: unknown;

beforeAll(async () => {
  const aws = awsCommand(deployment());
  const edge = openEdge(deployment());
  const secret = JSON.stringify({ STRIPE_WEBHOOK_SECRET: 'whsec_platform', STRIPE_SECRET_KEY: 'sk_example' });
  const { SecretList } = await aws('secretsmanager', 'list-secrets');
  await aws('secretsmanager', 'put-secret-value', '--secret-id', SecretList[0].Name, '--secret-string', secret);
  const pool = openUserPool(deployment(), aws);
  const recorder = deployedRecorder(edge);
  const world = deployedWorld(deployment().outputs.BaseUrl!, async () => {
    const { data: account } = bodyOf(recorder.visits, 'a-new-account') as { data: { token: string } };
    const { data: program } = bodyOf(recorder.visits, 'a-program') as { data: { id: number } };
    const { body } = await edge('GET', `/api/dashboard/v1/programs/${program.id}/partners`, { key: account.token });
    // The count includes a sale that is outside the window in the recorded journey only.
    return body.data[0].sales === 5 && body.data[0].clicks === 3;
  });
  try {
    await liveThroughInterface(world, pool, recorder);
    await visitOthers(edge, await pool.idToken({ email: 'kim@acme.test' }));
  } catch (error) {
    failure = error;
  }
  visits.push(...recorder.visits);
});

/** The statuses of the replies on routes that the recorded journey omits. */
const others = new Map<string, number>();

async function visitOthers(edge: Edge, idToken: string): Promise<void> {
  const dashboard = '/api/dashboard/v1';
  const { data: session } = (await edge('POST', `${dashboard}/session`, { body: { id_token: idToken } })).body;
  const { data: programs } = (await edge('GET', `${dashboard}/programs`, { key: session.token })).body;
  const visit = async (route: string, path: string, request: Parameters<Edge>[2]) => {
    others.set(route, (await edge(route.split(' ')[0]!, path, request)).status);
  };
  const retry = `${dashboard}/programs/${programs[0].id}/processor/payments/retry`;
  const as = { key: session.token };
  await visit(`POST ${dashboard}/programs/{id}/processor/payments/retry`, retry, { ...as, body: {} });
  const callback = `${dashboard}/processor/callback`;
  await visit(`GET ${callback}`, `${callback}?code=ac_1&state=made-up`, {});
  const headers = { origin: 'https://acme.test', 'access-control-request-method': 'POST' };
  for (const path of ['/api/v1/track/click', '/api/v1/track/lead']) await visit(`OPTIONS ${path}`, path, { headers });
}

const bodyOf = (all: readonly Visit[], example: string) => all.find((visit) => visit.example === example)?.body;

const statusOf = ({ operationId, example }: Visit): number[] =>
  Object.entries(examplesOf(operationId).replies)
    .filter(([, named]) => example in named)
    .map(([status]) => Number(status));

it('each request of the recorded test journey gets the same status as in the recording', () => {
  const unexpected = visits
    .filter((visit) => !atAnotherTime.has(`${visit.operationId} ${visit.example}`))
    .filter((visit) => !statusOf(visit).includes(visit.status))
    .map((visit) => ({ ...visit, recorded: statusOf(visit), body: JSON.stringify(visit.body).slice(0, 300) }));
  expect({ unexpected, failure }).toEqual({ unexpected: [], failure: undefined });
});

it('the recorded test journey calls every route', () => {
  const visited = new Set([...visits.map(({ route }) => route), ...others.keys()]);
  expect(routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !visited.has(route))).toEqual([]);
});

it('no request of the recorded test journey is answered with a server error', () => {
  expect([...others].filter(([, status]) => status >= 500)).toEqual([]);
});
