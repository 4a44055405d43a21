import { marshall } from '@aws-sdk/util-dynamodb';
import type { SentCall } from '#test/support/servers/sent-calls.ts';

export interface Load {
  readonly read: number;
  readonly write: number;
}

type Item = Readonly<Record<string, unknown>>;

/** The bytes of an item, by which DynamoDB counts its units: names and values. */
const bytesOf = (item: Item): number =>
  Object.entries(marshall(item, { removeUndefinedValues: true })).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOfValue(value),
    0,
  );

function bytesOfValue(value: object): number {
  const [[type, of]] = Object.entries(value) as [[string, unknown]];
  if (type === 'S') return Buffer.byteLength(of as string);
  if (type === 'N') return Math.ceil(String(of).length / 2) + 1;
  if (type === 'B') return (of as Uint8Array).byteLength;
  if (type === 'NS') return (of as string[]).reduce((sum, N) => sum + bytesOfValue({ N }), 0);
  if (type === 'L') return (of as object[]).reduce((sum, each) => sum + 1 + bytesOfValue(each), 3);
  if (type !== 'M') return 1;
  const entries = Object.entries(of as Record<string, object>);
  return entries.reduce((sum, [name, each]) => sum + 1 + Buffer.byteLength(name) + bytesOfValue(each), 3);
}

/**
 * The units of calls by item, and those of new index rows by their key. Queries are left out.
 * @param found the item as it is after the calls; undefined if it is gone, which counts as a small one
 */
export async function itemLoads(
  calls: readonly SentCall[],
  found: (key: { readonly pk: string; readonly sk: string }) => Promise<Item | undefined>,
): Promise<Map<string, Load>> {
  const loads = new Map<string, Load>();
  const sizes = new Map<string, number>();
  const add = (name: string, { read = 0, write = 0 }: Partial<Load>) => {
    const before = loads.get(name) ?? { read: 0, write: 0 };
    loads.set(name, { read: before.read + read, write: before.write + write });
  };
  const sizeOf = async ({ pk, sk }: Touched): Promise<number> => {
    const known = sizes.get(`${pk} ${sk}`) ?? bytesOf((await found({ pk, sk })) ?? {});
    sizes.set(`${pk} ${sk}`, known);
    return known;
  };
  for (const { name, input } of calls) {
    for (const key of readKeys(name, input)) {
      add(`${key.pk} ${key.sk}`, { read: Math.max(1, Math.ceil((await sizeOf(key)) / 4_096)) });
    }
    for (const { times, ...key } of writtenKeys(name, input)) {
      add(`${key.pk} ${key.sk}`, { write: times * Math.max(1, Math.ceil((await sizeOf(key)) / 1_024)) });
      for (const row of [key.gsi1pk, key.gsi2pk]) if (row !== undefined) add(`index ${row}`, { write: 1 });
    }
  }
  return loads;
}

interface Touched {
  readonly pk: string;
  readonly sk: string;
  readonly gsi1pk?: string;
  readonly gsi2pk?: string;
}

function readKeys(name: string, input: Item): readonly Touched[] {
  if (name !== 'BatchGetCommand') return [];
  return Object.values(input.RequestItems as Record<string, { Keys: Touched[] }>).flatMap(({ Keys }) => Keys);
}

/** The items of writes. A write in a transaction counts twice. */
function writtenKeys(name: string, input: Item): readonly (Touched & { readonly times: number })[] {
  const parts = (input.TransactItems as Record<string, Item>[] | undefined)?.flatMap((part) => Object.values(part));
  if (!parts && !['PutCommand', 'UpdateCommand', 'DeleteCommand'].includes(name)) return [];
  return (parts ?? [input]).map(({ Item: item, Key: key }) => ({
    ...((item ?? key) as Touched),
    times: parts ? 2 : 1,
  }));
}
