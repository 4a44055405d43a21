import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { setTimeout as wait } from 'node:timers/promises';
import { routes } from '#infra/routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import type { Edge, EdgeReply } from '#infra/emulator/edge.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import type { JourneyWorld } from '#test/wire/journey.ts';
import { type AskOptions, exampleName, type Recorder } from '#test/wire/recorder.ts';

/** A request of the journey, and the deployed stack's reply. */
export interface Visit {
  /** The route: method and path with its parameters. */
  readonly route: string;
  readonly operationId: string;
  /** The name among the recorded examples. */
  readonly example: string;
  readonly status: number;
  readonly body: unknown;
}

/** Replaces the handler, which is not called because the deployed stack answers. */
const handler = () => Promise.reject(new Error('The deployed function answers'));
const namedRoutes = routes.map((route) => ({ ...route, handler }));

/** The day of the recorded journey. */
const RECORDED_DAY = Date.parse('2026-11-20');
const DAY_MS = 86_400_000;

/** Moves the recorded journey's dates by the days since then. */
function shifted(text: string): string {
  const days = Math.floor(Date.now() / DAY_MS) - RECORDED_DAY / DAY_MS;
  return text.replaceAll(/2026-\d\d-\d\d/g, (date) =>
    new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Sends the journey's requests through the edge of the deployed stack. */
export function deployedRecorder(edge: Edge): Recorder & { readonly visits: readonly Visit[] } {
  const visits: Visit[] = [];

  async function ask(summary: string, request: string, options: AskOptions = {}): Promise<TestReply> {
    const { key, headers } = options;
    const [method = '', url = ''] = shifted(request).split(' ');
    const sent = sentBody(options);
    const reply = await edge(method, url, { key, body: sent, headers });
    const { route } = matchRoute(namedRoutes, method, url.split('?')[0]!)!;
    const { id } =
      operations[namedRoutes.find((one) => one.method === route.method && one.path === route.path)!.function]!;
    visits.push({
      route: `${route.method} ${route.path}`,
      operationId: typeof id === 'string' ? id : id(method, route.path),
      example: exampleName(summary),
      status: reply.status,
      body: reply.body,
    });
    return asTestReply(reply);
  }
  return { ask, visits };
}

/** The gateway itself encodes bytes for the function. */
const sentBody = ({ body, isBase64Encoded }: AskOptions): unknown => {
  if (isBase64Encoded) return Buffer.from(String(body), 'base64');
  return typeof body === 'object' ? shifted(JSON.stringify(body)) : body;
};

const asTestReply = ({ status, headers, body }: EdgeReply): TestReply => ({
  status,
  headers: headers as Record<string, string>,
  body,
});

const COUNTED_WITHIN_MS = 120_000;
const POLL_MS = 500;

/** The table behind the deployed stack. */
export function deployedWorld(baseUrl: string, isCounted: () => Promise<boolean>): JourneyWorld {
  // Vitest has a variable of this name, too.
  process.env.BASE_URL = baseUrl;
  const { TABLE_NAME: TableName, DYNAMODB_ENDPOINT: dynamodbEndpoint } = process.env;
  const client = documentClient({ dynamodbEndpoint, region: 'us-east-1' });
  return {
    deps: () => requestDeps(new Date(), 'test'),
    async replace(Item) {
      await client.send(new PutCommand({ TableName, Item }));
    },
    async counted() {
      await until('the counters have counted', isCounted);
    },
  };
}

/** Polls, because nothing signals when a stream or a queue is empty. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + COUNTED_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not within ${COUNTED_WITHIN_MS / 1_000} seconds: ${what}`);
    await wait(POLL_MS);
  }
}
