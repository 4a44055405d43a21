import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  type AttributeValue,
  type CancellationReason,
} from '@aws-sdk/client-dynamodb';

// DynamoDB errors as the SDK throws them.

const $metadata = { httpStatusCode: 400, requestId: 'in-memory', attempts: 1, totalRetryDelay: 0 };

/** The request is invalid regardless of the table's contents, or would make an item invalid. */
export class Invalid extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', $metadata, message });
    // The SDK's class sets its own prototype.
    Object.setPrototypeOf(this, Invalid.prototype);
  }
}

/** @param Item the existing item, if the request asked for it */
export const conditionFailed = (Item?: Readonly<Record<string, AttributeValue>>) =>
  new ConditionalCheckFailedException({ $metadata, message: CONDITION_FAILED, Item: Item && structuredClone(Item) });

export const CONDITION_FAILED = 'The conditional request failed';

export function cancelled(CancellationReasons: CancellationReason[]) {
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TransactionCanceledException({ $metadata, message, CancellationReasons });
}

export const tokenReused = () =>
  new IdempotentParameterMismatchException({
    $metadata,
    message: 'A request with this token and other parameters was made before',
  });

export const noSuchTable = () =>
  new ResourceNotFoundException({ $metadata, message: 'Cannot do operations on a non-existent table' });

export const tableExists = (name: string) =>
  new ResourceInUseException({ $metadata, message: `Table already exists: ${name}` });

/** Not a DynamoDB error: the request uses a feature that the memory table does not support. */
export class Unknown extends Error {
  constructor(what: string) {
    super(
      `The table in memory does not know ${what}. Extend test/support/memory-table, and its tests in test/service/table.`,
    );
  }
}
