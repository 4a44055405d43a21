import { beforeAll, expect, it } from 'vitest';
import { routes } from '#infra/routes.ts';
import { examplesOf } from '#lib/wire/openapi/examples.ts';
import { awsCommand } from '#infra/emulator/aws-command.ts';
import { deployedRecorder, deployedWorld, type Visit } from '#test/deployed/support/deployed-journey.ts';
import { deployment } from '#test/deployed/support/deployed.ts';
import { openEdge } from '#infra/emulator/edge.ts';
import { openUserPool } from '#infra/emulator/sign-in.ts';
import { liveThroughInterface } from '#test/wire/journey.ts';

/** Replies that depend on the time, which a deployed service takes from its own clock. */
const atAnotherTime: ReadonlySet<string> = new Set(['recordSale outside-the-attribution-window']);

const visits: Visit[] = [];
let failure: unknown;

beforeAll(async () => {
  const aws = awsCommand(deployment());
  const edge = openEdge(deployment());
  const secret = JSON.stringify({ STRIPE_WEBHOOK_SECRET: 'whsec_platform', STRIPE_SECRET_KEY: 'sk_example' });
  const { SecretList } = await aws('secretsmanager', 'list-secrets');
  await aws('secretsmanager', 'put-secret-value', '--secret-id', SecretList[0].Name, '--secret-string', secret);
  const recorder = deployedRecorder(edge);
  const world = deployedWorld(deployment().outputs.BaseUrl!, async () => {
    const { data: account } = bodyOf(recorder.visits, 'a-new-account') as { data: { token: string } };
    const { data: program } = bodyOf(recorder.visits, 'a-program') as { data: { id: number } };
    const { body } = await edge('GET', `/api/dashboard/v1/programs/${program.id}/partners`, { key: account.token });
    // With the sale that the recorded journey makes too late.
    return body.data[0].sales === 5 && body.data[0].clicks === 3;
  });
  try {
    await liveThroughInterface(world, openUserPool(deployment(), aws), recorder);
  } catch (error) {
    failure = error;
  }
  visits.push(...recorder.visits);
});

const bodyOf = (all: readonly Visit[], example: string) => all.find((visit) => visit.example === example)?.body;

const statusOf = ({ operationId, example }: Visit): number[] =>
  Object.entries(examplesOf(operationId).replies)
    .filter(([, named]) => example in named)
    .map(([status]) => Number(status));

it('answers each request of the recorded journey with the recorded status', () => {
  const others = visits
    .filter((visit) => !atAnotherTime.has(`${visit.operationId} ${visit.example}`))
    .filter((visit) => !statusOf(visit).includes(visit.status))
    .map((visit) => ({ ...visit, recorded: statusOf(visit), body: JSON.stringify(visit.body).slice(0, 300) }));
  expect({ others, failure }).toEqual({ others: [], failure: undefined });
});

it('visits every route', () => {
  const visited = new Set(visits.map(({ route }) => route));
  expect(routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !visited.has(route))).toEqual([]);
});
