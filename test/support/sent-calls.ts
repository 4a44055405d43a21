import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** One call to DynamoDB as it was really sent. */
export interface SentCall {
  /** Such as `TransactWriteCommand`. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Runs something and tells every call that any client sent meanwhile, with its time and the capacity it took. */
export async function sentCalls(run: () => Promise<unknown>): Promise<SentCall[]> {
  const calls: SentCall[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: SentCommand) => Promise<unknown>;

  async function sendAndNote(this: DynamoDBDocumentClient, command: SentCommand): Promise<unknown> {
    const startedAt = performance.now();
    command.input.ReturnConsumedCapacity = 'TOTAL';
    const output = (await send.call(this, command)) as { ConsumedCapacity?: Capacity | Capacity[] };
    const units = [output.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    const { name } = command.constructor;
    const isRead = name === 'BatchGetCommand' || name === 'QueryCommand';
    calls.push({
      name,
      input: command.input,
      startedAt,
      endedAt: performance.now(),
      readUnits: isRead ? units : 0,
      writeUnits: isRead ? 0 : units,
    });
    return output;
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendAndNote });
  try {
    await run();
    return calls;
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
}

interface SentCommand {
  readonly input: Record<string, unknown>;
}

/** How many calls had to wait for another one to end: the longest chain of calls that follow each other. */
export function dependentTrips(calls: readonly SentCall[]): number {
  const inOrder = calls.toSorted((a, b) => a.startedAt - b.startedAt);
  const depths: number[] = [];
  for (const [index, call] of inOrder.entries()) {
    const before = inOrder.slice(0, index).map((earlier, at) => (earlier.endedAt <= call.startedAt ? depths[at]! : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}
