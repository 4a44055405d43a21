import type { PageRequest } from '#lib/service/ground/values/paging.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import type { IndexName } from '#lib/service/ground/config/table-definition.ts';

/** The key of a listed item, and its position in the list. */
export interface Entry extends Key {
  readonly position: string;
}

/** The keys of listed items, in the order of the list. */
export interface Listed {
  readonly entries: readonly Entry[];
  /** Position after which the list continues; undefined at its end. */
  readonly next?: string;
}

/** The positions in an index list between which a query reads. */
export interface ListRequest extends PageRequest {
  /** Name of the index. Default: `gsi1`. */
  readonly index?: IndexName;
  /**
   * Exclusive lower or upper bound. With `downTo`, the query finds the item at this position and the result omits it.
   */
  readonly after?: string;
  /** The lowest position, inclusive, in a list that is read newest first. */
  readonly downTo?: string;
  readonly newestFirst?: boolean;
}

/** The fields of a query for a list. DynamoDB allows a single condition on the sort key. */
export function listFields(list: string, { index = 'gsi1', after, downTo, newestFirst, most }: ListRequest) {
  const sk = `${index}sk`;
  const conditions = [
    ...(after && downTo ? [`${sk} BETWEEN :downTo AND :after`] : []),
    ...(after && !downTo ? [`${sk} ${newestFirst ? '<' : '>'} :after`] : []),
    ...(downTo && !after ? [`${sk} >= :downTo`] : []),
  ];
  return {
    IndexName: index,
    KeyConditionExpression: [`${index}pk = :list`, ...conditions].join(' AND '),
    ExpressionAttributeValues: {
      ':list': list,
      ...(after && { ':after': after }),
      ...(downTo && { ':downTo': downTo }),
    },
    ScanIndexForward: !newestFirst,
    // The query may find the item at `after`, which the result then leaves out. So one item more is read.
    Limit: after && downTo ? most + 1 : most,
  };
}

type Listing = Key & Record<string, unknown>;

/** The keys that a query has found. @param last the last item that it read; undefined at the end of the list */
export function listedIn(items: readonly Listing[], last: Listing | undefined, request: ListRequest): Listed {
  const { index = 'gsi1', after, most } = request;
  const positionOf = (item: Listing) => item[`${index}sk`] as string;
  const found = items
    .map((item): Entry => ({ pk: item.pk, sk: item.sk, position: positionOf(item) }))
    .filter(({ position }) => position !== after);
  const entries = found.slice(0, most);
  return { entries, next: found.length > most ? entries.at(-1)?.position : last && positionOf(last) };
}
