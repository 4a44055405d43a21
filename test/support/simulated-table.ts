import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

type Item = Record<string, unknown>;
/** By partition and sort key. */
export type Items = Map<string, Item>;
type Update = Pick<
  UpdateCommandInput,
  'Key' | 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

export const nameOf = ({ pk, sk }: Item) => `${String(pk)} ${String(sk)}`;
const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });

/**
 * A client of a table in memory, for tests that try thousands of schedules: it knows the calls and expressions that the counters
 * use, each of which takes effect at one moment, as in DynamoDB.
 * @param items of the table, which any number of clients may share
 * @param turn called before each call takes effect, and before its answer arrives; it may throw instead of the answer
 */
export function simulatedClient(
  items: Items,
  turn: (moment: 'call' | 'answer') => Promise<void> = async () => undefined,
): DynamoDBDocumentClient {
  /** @returns the item after the update. @throws when its condition fails */
  function updated(update: Update): Item {
    const { Key: key = {}, ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = update;
    const before = items.get(nameOf(key));
    const after: Item = { ...before, ...key };
    const attribute = (placeholder: string) => names[placeholder.trim()]!;
    for (const part of update.ConditionExpression?.split(' AND ') ?? []) {
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

  function effectOf(command: unknown): object {
    if (command instanceof BatchGetCommand) {
      const [[table, { Keys = [] } = {}] = []] = Object.entries(command.input.RequestItems ?? {});
      return { Responses: { [table!]: Keys.flatMap((key) => structuredClone(items.get(nameOf(key))) ?? []) } };
    }
    if (command instanceof QueryCommand) {
      const { ':pk': pk, ':from': from = '', ':to': to = '~~' } = command.input.ExpressionAttributeValues ?? {};
      const found = [...items.values()].filter((item) => item.pk === pk && item.sk! >= from && item.sk! <= to);
      return { Items: structuredClone(found) };
    }
    if (command instanceof UpdateCommand) {
      const after = updated(command.input);
      items.set(nameOf(after), after);
      return { Attributes: structuredClone(after) };
    }
    if (command instanceof TransactWriteCommand) {
      const after = (command.input.TransactItems ?? []).map(({ Update: update }) => updated(update!));
      for (const item of after) items.set(nameOf(item), item);
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
