import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestTable, testClient } from '#test/support/table/create-table.ts';
import { MEMORY_ENDPOINT } from '#test/support/memory-table/client.ts';

// The service's table requests as data. The cases run on the table in the environment. Where engines differ, AWS's
// documentation decides, and a case names the engines that fail it: there it must fail.

type Item = Record<string, unknown>;
type Engine = 'embedded' | 'DynamoDB Local';

const commands = {
  get: GetCommand,
  put: PutCommand,
  update: UpdateCommand,
  delete: DeleteCommand,
  query: QueryCommand,
  scan: ScanCommand,
};

/** One operation's call without the table's name. */
type Call = {
  readonly [operation in keyof typeof commands]?: Item;
} & {
  readonly transact?: readonly Readonly<Record<string, Item | undefined>>[];
  readonly token?: string;
  /** Whether a condition of the transaction fails, and further calls follow. */
  readonly isCancelled?: boolean;
  readonly batchGet?: {
    readonly Keys: Item[];
    readonly ConsistentRead?: boolean;
    readonly ProjectionExpression?: string;
    readonly ExpressionAttributeNames?: Record<string, string>;
  };
  readonly batchWrite?: readonly Item[];
  readonly ReturnConsumedCapacity?: 'TOTAL';
};

export interface Case {
  readonly name: string;
  /** The items before, without their partition key. */
  readonly items?: readonly Item[];
  /** One call or several in sequence. @param pk the case's own partition */
  readonly calls: (pk: string) => Call | readonly Call[];
  /** The complete reply to the last call. */
  readonly gives?: object | ((pk: string) => object);
  /** Capacity units of the last call. */
  readonly takes?: number;
  /** The error of the last call. */
  readonly fails?: object | ((pk: string) => object);
  /** The items of the partition afterwards, without their partition key. */
  readonly leaves?: readonly Item[];
  /** Engines that fail the case, and their behaviour. */
  readonly differs?: Readonly<Partial<Record<Engine, string>>>;
}

export const VALIDATION = { name: 'ValidationException' };
export const CONDITION = { name: 'ConditionalCheckFailedException' };
export const cancelledFor = (...codes: string[]) => ({
  name: 'TransactionCanceledException',
  CancellationReasons: codes.map((Code) => ({ Code })),
});

/** The tested engine; undefined for the in-memory table. */
export const engine: Engine | undefined = engineOf(process.env);

function engineOf({ DYNAMODB_ENDPOINT, ENGINE, AWS_RULES }: NodeJS.ProcessEnv): Engine | undefined {
  if (DYNAMODB_ENDPOINT === MEMORY_ENDPOINT) return undefined;
  return ENGINE || AWS_RULES ? 'embedded' : 'DynamoDB Local';
}

let count = 0;
let tableName: string;

/** Creates a test for each case, on one shared table. The name of a case completes `title` to a sentence. */
export function hold(title: string, cases: readonly Case[]): void {
  describe(`DynamoDB: ${title}`, () => {
    beforeAll(async () => {
      tableName = await createTestTable();
    });
    for (const one of cases) {
      const isDifferent = engine !== undefined && one.differs?.[engine] !== undefined;
      (isDifferent ? it.fails : it)(one.name, () => holds(one));
    }
  });
}

async function holds({ items = [], calls, gives, takes, fails, leaves }: Case): Promise<void> {
  const pk = `case-${++count}`;
  for (const item of items) await testClient.send(new PutCommand({ TableName: tableName, Item: { pk, ...item } }));
  const all = [calls(pk)].flat();
  for (const { isCancelled, ...call } of all.slice(0, -1)) {
    if (isCancelled) await expect(carriedOut(call)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    else await carriedOut(call);
  }
  const last = carriedOut(all.at(-1)!);
  const valueOf = (expected: object | ((pk: string) => object)) =>
    typeof expected === 'function' ? (expected as (pk: string) => object)(pk) : expected;
  if (fails) {
    const error: unknown = await last.then(
      (reply) => ({ instead: reply }),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject(valueOf(fails));
  } else {
    const { $metadata: _, ...reply } = (await last) as Item;
    if (takes !== undefined) {
      const units = [reply.ConsumedCapacity].flat() as { readonly CapacityUnits: number }[];
      expect(units.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)).toBe(takes);
    }
    if (gives) expect(reply).toEqual(valueOf(gives));
  }
  if (leaves) {
    const { Items } = await testClient.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
      }),
    );
    expect(Items).toEqual(leaves.map((item) => ({ pk, ...item })));
  }
}

function carriedOut({
  transact,
  token,
  batchGet,
  batchWrite,
  ReturnConsumedCapacity,
  ...single
}: Call): Promise<unknown> {
  const TableName = tableName;
  if (transact) {
    const TransactItems = transact.map((part) => {
      const [[kind, fields]] = Object.entries(part) as [[string, Item]];
      return { [kind]: { TableName, ...fields } };
    }) as TransactWriteCommandInput['TransactItems'];
    return testClient.send(
      new TransactWriteCommand({ TransactItems, ClientRequestToken: token, ReturnConsumedCapacity }),
    );
  }
  if (batchGet) {
    return testClient.send(new BatchGetCommand({ RequestItems: { [TableName]: batchGet }, ReturnConsumedCapacity }));
  }
  if (batchWrite) {
    return testClient.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: [...batchWrite] }, ReturnConsumedCapacity }),
    );
  }
  const [[operation, input]] = Object.entries(single) as [[keyof typeof commands, Item]];
  const Command = commands[operation] as new (input: object) => PutCommand;
  return testClient.send(new Command({ TableName, ReturnConsumedCapacity, ...input }));
}

/** The table's name in replies that contain it. */
export const namedTable = (): string => tableName;
