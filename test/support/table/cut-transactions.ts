import { DynamoDBDocumentClient, GetCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { storedItems } from '#test/support/table/invariants.ts';
import type { World } from '#test/support/programs/world.ts';

type Item = Record<string, unknown>;

/** An item that a transaction wrote, and the item as it was before; undefined if it did not exist. */
export interface Written {
  readonly key: Key;
  readonly before?: Item;
}

const keyIn = ({ pk, sk }: Item): Key => ({ pk: pk as string, sk: sk as string });
export const nameOf = ({ pk, sk }: Item | Key): string => `${String(pk)} / ${String(sk)}`;

/** Whether a payout writes this item to record what was paid, or that it was paid. */
export const isOfPayout = ({ pk, sk }: Key): boolean =>
  /^(?:PAYOUT|MAILING)#/.test(pk) || sk === 'OPEN_PAYOUT' || sk === 'COMMISSION';

/** Runs a function. For each of its transactions, in order, returns the wanted items that it wrote. */
export async function transactionsOf(
  { client, tableName }: Pick<World, 'client' | 'tableName'>,
  isWanted: (key: Key) => boolean,
  run: () => Promise<unknown>,
): Promise<Written[][]> {
  const transactions: Written[][] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const send = DynamoDBDocumentClient.prototype.send as (command: object) => Promise<unknown>;
  const stateOf = async (key: Key): Promise<Written> => {
    const { Item: before } = (await send.call(
      client,
      new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
    )) as { Item?: Item };
    return { key, before };
  };

  async function noted(
    this: DynamoDBDocumentClient,
    command: { readonly input: Partial<TransactWriteCommandInput> },
  ): Promise<unknown> {
    const keys = (command.input.TransactItems ?? []).flatMap(({ Put, Update, Delete }) => {
      const key = Put?.Item ?? Update?.Key ?? Delete?.Key;
      return key && isWanted(keyIn(key)) ? [keyIn(key)] : [];
    });
    const written = await Promise.all(keys.map(stateOf));
    const reply = await send.call(this, command);
    if (written.length > 0) transactions.push(written);
    return reply;
  }

  Object.assign(DynamoDBDocumentClient.prototype, { send: noted });
  try {
    await run();
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
  return transactions;
}

/**
 * Gives items the state that they had before their transaction. A restore from a backup can do that if it is from a
 * moment in the middle of the transaction.
 */
export async function cut(world: Pick<World, 'deps' | 'replace'>, items: readonly Written[]): Promise<void> {
  for (const { key, before } of items) {
    if (before) await world.replace(before);
    else await world.deps().table.transact([{ name: 'cut', key, remove: true }]);
  }
}

/** Gives the whole table its earlier contents. */
export async function rewind(world: World, contents: readonly Item[]): Promise<void> {
  const former = new Map(contents.map((item) => [nameOf(item), item]));
  for (const item of await storedItems(world)) {
    if (!former.has(nameOf(item))) await cut(world, [{ key: keyIn(item) }]);
    else if (isDeepStrictEqual(former.get(nameOf(item)), item)) former.delete(nameOf(item));
  }
  for (const item of former.values()) await world.replace(item);
}
