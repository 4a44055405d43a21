import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { keys } from '#lib/service/ground/table/keys.ts';
import { Table } from '#lib/service/ground/table/table.ts';

/** As many requests as a local run has in parallel. Each waits for the table, which must not wait for any of them. */
const CROWD = 300;

const nothing = JSON.stringify({ Responses: {}, UnprocessedKeys: {} });
const waiting: ServerResponse[] = [];
const engine = createServer((_, response) => {
  waiting.push(response);
  if (waiting.length < CROWD) return;
  for (const one of waiting.splice(0))
    one.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(nothing);
});

beforeEach(() => once(engine.listen(0, '127.0.0.1'), 'listening'));
afterEach(() => {
  engine.close();
  engine.closeAllConnections();
});

it('concurrent requests to a local database engine do not wait for each other', async () => {
  const { port } = engine.address() as AddressInfo;
  const client = documentClient({ dynamodbEndpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' });
  const reads = Array.from({ length: CROWD }, (_, n) => new Table(client, 'any', new Date()).get(keys.program(n)));
  expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]));
});
