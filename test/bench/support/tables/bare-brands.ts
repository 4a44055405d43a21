import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { bareHandler, type Body, type Recorded } from '#test/bench/support/recorded.ts';
import { isSeededSale } from '#test/bench/support/tables/names.ts';
import type { Operation } from '#test/bench/support/operations.ts';

/** The table calls that one brand's requests make. */
export type RecordedOperations = Readonly<Record<Operation, Recorded>>;

/**
 * The table calls that each brand's requests make. The name is what a request contains of its brand: the program key
 * or, for a click, the landing page.
 */
export type RecordedBrands = Readonly<Record<string, RecordedOperations>>;

/**
 * Returns a function that sends the table calls of a request, and runs no other code of ours.
 * @returns what the table replied
 */
export function bareBrands(client: DynamoDBDocumentClient, brands: RecordedBrands) {
  const handlers = new Map<string, (body: Body) => Promise<void>>();

  return async (path: string, key: string | undefined, body: Body): Promise<Operation> => {
    const operation = operationOf(path, body);
    const whose = key ?? String(body.affiliate_url);
    const name = `${operation} ${whose}`;
    const handler = handlers.get(name) ?? bareHandler(client, brands[whose]![operation]);
    handlers.set(name, handler);
    await handler(body);
    return operation;
  };
}

function operationOf(path: string, body: Body): Operation {
  if (path.endsWith('/click')) return 'click';
  if (path.endsWith('/lead')) return 'lead';
  return isSeededSale(body.transaction_id) ? 'repeated sale' : 'sale';
}
