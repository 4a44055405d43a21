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

describe('numericIds, which reserves blocks of ids in the table,', () => {
  it('gives consecutive ids in one process, also from one block to the next', async () => {
    const ids = numericIds();
    const taken: number[] = [];
    for (let n = 0; n < 1_001; n++) taken.push(await ids.take(table));
    expect(taken).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  });

  it('gives unique ids to any number of processes in parallel', async () => {
    const containers = Array.from({ length: 8 }, numericIds);
    const taken = await Promise.all(containers.map((ids) => many(1_500, () => ids.take(table))));
    expect(new Set(taken.flat()).size).toBe(12_000);
    for (const own of taken) expect(own).toEqual(ascending(own));
  });

  it('reserves one block for all calls that wait for one', async () => {
    const mock = mockClient(DynamoDBDocumentClient);
    mock.on(UpdateCommand).resolves({ Attributes: { last: 5_000 } });
    const ids = numericIds();
    expect(ascending(await many(1_000, () => ids.take(table)))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => 4_001 + index),
    );
    expect(mock.commandCalls(UpdateCommand)).toHaveLength(1);
    mock.restore();
  });

  it('rejects all waiting calls if reserving a block fails, and reserves one at the next call', async () => {
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

describe('nextNumber, which returns the next number of the sequence with a name,', () => {
  it('returns consecutive numbers from 1 on, separately for each name', async () => {
    expect(ascending(await many(20, () => nextNumber(table, 'partner')))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await nextNumber(table, 'program')).toBe(1);
  });
});
