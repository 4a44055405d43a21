import type { SentCall } from '#test/support/servers/sent-calls.ts';

interface Load {
  readonly read: number;
  readonly write: number;
}

/**
 * The units that calls consume on items or index rows whose partition key matches. Items are assumed to have at most 1
 * KB.
 */
export function keyLoad(calls: readonly SentCall[], key: RegExp): Load {
  let [read, write] = [0, 0];
  for (const { name, input } of calls) {
    for (const pk of readKeys(name, input)) if (key.test(pk)) read += 1;
    for (const { pk, units } of writtenKeys(name, input)) if (key.test(pk)) write += units;
  }
  return { read, write };
}

type Item = Readonly<Record<string, unknown>>;
type ItemKey = Readonly<Record<string, string | undefined>>;

function readKeys(name: string, input: Item): string[] {
  if (name !== 'BatchGetCommand') return [];
  const tables = Object.values(input.RequestItems as Record<string, { Keys: ItemKey[] }>);
  return tables.flatMap(({ Keys }) => Keys.map(({ pk }) => pk ?? ''));
}

function writtenKeys(name: string, input: Item): { readonly pk: string; readonly units: number }[] {
  const writes = (input.TransactItems as Record<string, Item>[] | undefined)?.flatMap((item) => Object.values(item));
  if (!writes && name !== 'PutCommand' && name !== 'UpdateCommand') return [];
  const units = writes ? 2 : 1;
  return (writes ?? [input]).flatMap(({ Item: item, Key: key }) => {
    const { pk = '', gsi1pk, gsi2pk } = (item ?? key) as ItemKey;
    const rows = [gsi1pk, gsi2pk].filter((row) => row !== undefined);
    // An index row has only keys, so it is written only when its item is new.
    return [{ pk, units }, ...rows.map((row) => ({ pk: row, units: 1 }))];
  });
}
