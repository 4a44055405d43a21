import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A call of DynamoDB that was sent. */
export interface SentCall {
  /** Name of the command, for example `TransactWriteCommand`. */
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

/**
 * Runs a function. Returns the calls that any client sent meanwhile, with their times and the capacity that they
 * consumed.
 */
export async function sentCalls(run: () => Promise<unknown>): Promise<SentCall[]> {
  const calls: SentCall[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: SentCommand) => Promise<unknown>;

  async function sendAndRecord(this: DynamoDBDocumentClient, command: SentCommand): Promise<unknown> {
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

  Object.assign(DynamoDBDocumentClient.prototype, { send: sendAndRecord });
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

const partActions: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Lists the actions on the table that calls need permission for. A transaction needs the permissions of its parts. */
export function actionsOf(calls: readonly SentCall[]): string[] {
  const actions = calls.flatMap(({ name, input }) =>
    name === 'TransactWriteCommand'
      ? (input.TransactItems as object[]).map((part) => partActions[Object.keys(part)[0]!]!)
      : name.replace('Command', name === 'QueryCommand' ? '' : 'Item'),
  );
  return [...new Set(actions)].toSorted();
}

/** Groups calls that ran in parallel: each group began only after the group before it had been answered. */
export function waves(calls: readonly SentCall[]): SentCall[][] {
  const inOrder = calls.toSorted((a, b) => a.startedAt - b.startedAt);
  const depths: number[] = [];
  for (const [index, call] of inOrder.entries()) {
    const before = inOrder.slice(0, index).map((earlier, at) => (earlier.endedAt <= call.startedAt ? depths[at]! : -1));
    depths.push(1 + Math.max(-1, ...before));
  }
  return Array.from({ length: 1 + Math.max(-1, ...depths) }, (_, depth) =>
    inOrder.filter((_call, index) => depths[index] === depth),
  );
}

/** How many round trips to the table were made one after the other. */
export const dependentTrips = (calls: readonly SentCall[]): number => waves(calls).length;

/** The table's capacity that the calls consumed. */
export const unitsOf = (calls: readonly SentCall[]): { readonly read: number; readonly write: number } => ({
  read: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
  write: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});
