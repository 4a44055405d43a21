import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { MOST_PAGE_BYTES } from '#test/support/memory-table/units/limits.ts';
import type { Change } from '#test/support/memory-table/row.ts';
import { itemBytes } from '#test/support/memory-table/units/sizes.ts';
import { admittedItem, type Item } from '#test/support/memory-table/expressions/values.ts';

/** The first sequence number. It has as many digits as those of DynamoDB. */
const FIRST_NUMBER = 100_000_000_000_000_000_000n;
const MOST_RECORDS = 1_000;
const SHARD_ID = 'shardId-00000000000000000000-00000000';

interface Logged {
  readonly change: Change;
  readonly at: Date;
  readonly bytes: number;
}

/** The change log of a table. It has one shard, which never ends; the oldest change is first. */
export class StreamLog {
  readonly arn: string;
  readonly shardIds: readonly string[] = [SHARD_ID];
  readonly #logged: Logged[] = [];

  constructor(tableName: string) {
    this.arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}/stream/2026-01-01T00:00:00.000`;
  }

  /** Adds a change to the log, unless the item was written without a difference. */
  note(change: Change): void {
    const { before, after } = change;
    if (before === after || (before && after && isDeepStrictEqual(before.item, after.item))) return;
    this.#logged.push({ change, at: new Date(), bytes: (before?.bytes ?? 0) + (after?.bytes ?? 0) });
  }

  /** Returns the position at which a reader begins. @throws Invalid for an unknown sequence number */
  positionOf(type: string, number: string | undefined): number {
    if (type === 'TRIM_HORIZON') return 0;
    if (type === 'LATEST') return this.#logged.length;
    const at = Number(BigInt(number ?? '0') - FIRST_NUMBER);
    if (at < 0 || at >= this.#logged.length) throw new Invalid('Invalid SequenceNumber');
    return type === 'AFTER_SEQUENCE_NUMBER' ? at + 1 : at;
  }

  /** Returns the records from a position on, and the position after the last of them. */
  read(from: number, limit = MOST_RECORDS): { readonly records: StreamRecord[]; readonly next: number } {
    const records: StreamRecord[] = [];
    let bytes = 0;
    let next = from;
    for (; next < this.#logged.length && records.length < Math.min(limit, MOST_RECORDS); next++) {
      const logged = this.#logged[next]!;
      bytes += logged.bytes;
      if (records.length > 0 && bytes > MOST_PAGE_BYTES) break;
      records.push(recordOf(logged, next));
    }
    return { records, next };
  }
}

const keysOf = ({ pk, sk }: Item) => ({ pk: pk!, sk: sk! });

function recordOf({ change: { before, after }, at, bytes }: Logged, number: number): StreamRecord {
  const Keys = admittedItem(keysOf((after ?? before)!.item));
  const eventName = before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT';
  return {
    eventID: `${number}`.padStart(32, '0'),
    eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    dynamodb: {
      ApproximateCreationDateTime: new Date(Math.floor(at.getTime() / 1_000) * 1_000),
      Keys,
      ...(after && { NewImage: admittedItem(after.item) }),
      ...(before && { OldImage: admittedItem(before.item) }),
      SequenceNumber: String(FIRST_NUMBER + BigInt(number)),
      SizeBytes: itemBytes(Keys) + bytes,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}
