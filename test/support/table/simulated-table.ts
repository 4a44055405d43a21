import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

type Item = Record<string, unknown>;
/** Items by partition key and sort key. */
export type Items = Map<string, Item>;
type Update = Pick<
  UpdateCommandInput,
  'Key' | 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export const nameOf = ({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }) => `${String(pk)} ${String(sk)}`;
const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });

/** The capacity units that calls consumed; for writes, by the name of the item. */
export interface Taken {
  read: number;
  readonly write: Map<string, number>;
}

const textBytes = (value: string): number => new TextEncoder().encode(value).length;

/** The size of an item as DynamoDB counts it: names and values, and two digits of a number per byte. */
const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);

function valueBytes(value: unknown): number {
  if (typeof value === 'number') return 1 + Math.ceil(String(Math.abs(value)).length / 2);
  if (typeof value === 'string') return textBytes(value);
  return 3 + Object.entries(value as Item).reduce((sum, [name, one]) => sum + 1 + textBytes(name) + valueBytes(one), 0);
}

interface Options {
  readonly taken?: Taken;
  /**
   * Called before each call takes effect, and again before its reply arrives. If it throws, the caller gets that error.
   */
  readonly turn?: (moment: 'call' | 'answer') => Promise<void>;
}

/**
 * Creates a client of a table in memory, for tests that try thousands of schedules. It supports only the calls and
 * expressions that counters use. As in DynamoDB, each call takes effect at one moment.
 * @param items of the table, which several clients may share
 */
export function simulatedClient(
  items: Items,
  { taken = { read: 0, write: new Map() }, turn = async () => undefined }: Options = {},
): DynamoDBDocumentClient {
  const noteRead = (found: readonly Item[], atLeast: number) => {
    const bytes = found.reduce((sum, item) => sum + itemBytes(item), 0);
    taken.read += Math.max(atLeast, Math.ceil(bytes / 4_096));
  };
  function put(after: Item, unitsOfAKilobyte: number): void {
    const name = nameOf(after);
    const units = Math.ceil(Math.max(itemBytes(after), itemBytes(items.get(name) ?? {})) / 1_024) * unitsOfAKilobyte;
    taken.write.set(name, (taken.write.get(name) ?? 0) + units);
    items.set(name, after);
  }

  /** Computes an update. @returns the item after it @throws if its condition fails */
  function updated(update: Update): Item {
    const { Key: key = {}, ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = update;
    const before = items.get(nameOf(key));
    const after: Item = { ...before, ...key };
    const attribute = (placeholder: string) => names[placeholder.trim()]!;
    for (const part of update.ConditionExpression?.split(' AND ') ?? []) {
      // A condition with OR also allows expired items, of which there are none in this table.
      if (part.includes(' OR ')) {
        if (before) throw failure('ConditionalCheckFailedException');
        continue;
      }
      const absent = /^attribute_not_exists\((.+)\)$/.exec(part)?.[1];
      const [left = '', right = ''] = part.split(' = ');
      const holds = absent ? before?.[attribute(absent)] === undefined : before?.[attribute(left)] === values[right];
      if (!holds) throw failure('ConditionalCheckFailedException');
    }
    for (const [, keyword, list] of (update.UpdateExpression ?? '').matchAll(
      /(SET|REMOVE|ADD) (.*?)(?= (?:REMOVE|ADD) |$)/g,
    )) {
      for (const one of list!.split(', ')) {
        if (keyword === 'REMOVE') delete after[attribute(one)];
        else if (keyword === 'SET') {
          const [name = '', value = ''] = one.split(' = ');
          after[attribute(name)] = values[value];
        } else {
          const [name = '', value = ''] = one.split(' ');
          after[attribute(name)] = Number(after[attribute(name)] ?? 0) + Number(values[value]);
        }
      }
    }
    return after;
  }

  /**
   * Computes the updates of a transaction.
   * @throws if the condition of any part fails; the error has the reasons of all parts
   */
  function changedBy(parts: readonly { readonly Update?: Update }[]): Item[] {
    const outcomes = parts.map(({ Update: update }) => {
      try {
        return updated(update!);
      } catch {
        return undefined;
      }
    });
    if (outcomes.includes(undefined)) {
      const reasons = outcomes.map((outcome) => ({ Code: outcome ? 'None' : 'ConditionalCheckFailed' }));
      throw failure('TransactionCanceledException', { CancellationReasons: reasons });
    }
    return outcomes as Item[];
  }

  function effectOf(command: unknown): object {
    if (command instanceof BatchGetCommand) {
      const [[table, { Keys = [] }] = ['', {}]] = Object.entries(command.input.RequestItems ?? {});
      const found = Keys.flatMap((key) => structuredClone(items.get(nameOf(key))) ?? []);
      for (const key of Keys) noteRead([items.get(nameOf(key)) ?? {}], 1);
      return { Responses: { [table]: found } };
    }
    if (command instanceof QueryCommand) {
      const { ':pk': pk, ':from': from = '', ':to': to = '~~' } = command.input.ExpressionAttributeValues ?? {};
      const found = [...items.values()].filter((item) => item.pk === pk && item.sk! >= from && item.sk! <= to);
      noteRead(found, 1);
      return { Items: structuredClone(found) };
    }
    if (command instanceof UpdateCommand) {
      const after = updated(command.input);
      put(after, 1);
      return { Attributes: structuredClone(after) };
    }
    if (command instanceof TransactWriteCommand) {
      const after = changedBy(command.input.TransactItems ?? []);
      for (const item of after) put(item, 2);
      return {};
    }
    throw new Error(`Not simulated: ${(command as object).constructor.name}`);
  }

  const client = {
    async send(command: unknown): Promise<object> {
      await turn('call');
      const effect = effectOf(command);
      await turn('answer');
      return effect;
    },
  };
  return client as unknown as DynamoDBDocumentClient;
}
