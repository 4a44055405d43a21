import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentClient } from '#lib/service/ground/effects/storage.ts';
import { nextNumber, numericIds } from '#lib/service/ground/counters/sequence-items.ts';
import { Table } from '#lib/service/ground/table/table.ts';
import { createTestTable } from '#test/support/table/create-table.ts';

const client = documentClient({ dynamodbEndpoint: process.env.DYNAMODB_ENDPOINT, region: 'us-east-1' });

let table: Table;
beforeEach(async () => {
  table = new Table(client, await createTestTable(client), new Date('2026-11-20T15:00:00.000Z'));
});

const many = <T>(count: number, take: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, take));
const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

describe('the ids that numericIds gives', () => {
  it('are consecutive inside one container, across blocks', async () => {
    const ids = numericIds();
    const taken: number[] = [];
    for (let n = 0; n < 1_001; n++) taken.push(await ids.take(table));
    expect(taken).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  });

  it('are unique for any number of containers in parallel', async () => {
    const containers = Array.from({ length: 8 }, numericIds);
    const taken = await Promise.all(containers.map((ids) => many(1_500, () => ids.take(table))));
    expect(new Set(taken.flat()).size).toBe(12_000);
    for (const own of taken) expect(own).toEqual(ascending(own));
  });

  it('come from one reserved block for all waiting calls', async () => {
    const mock = mockClient(DynamoDBDocumentClient);
    mock.on(UpdateCommand).resolves({ Attributes: { last: 5_000 } });
    const ids = numericIds();
    expect(ascending(await many(1_000, () => ids.take(table)))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => 4_001 + index),
    );
    expect(mock.commandCalls(UpdateCommand)).toHaveLength(1);
    mock.restore();
  });

  it('come from a block that is reserved again after a failure, which rejects every waiting call', async () => {
    const mock = mockClient(DynamoDBDocumentClient);
    mock
      .on(UpdateCommand)
      .rejectsOnce(new Error('lost'))
      .resolves({ Attributes: { last: 1_000 } });
    const ids = numericIds();
    const outcomes = await Promise.allSettled([ids.take(table), ids.take(table)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ids.take(table)).toBe(1);
    mock.restore();
  });
});

describe('nextNumber, which gives the next number of a name,', () => {
  it('counts each name separately, once per call', async () => {
    expect(ascending(await many(20, () => nextNumber(table, 'partner')))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await nextNumber(table, 'program')).toBe(1);
  });
});
