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

// The errors that DynamoDB returns, in the form in which the SDK throws them.

const $metadata = { httpStatusCode: 400, requestId: 'in-memory', attempts: 1, totalRetryDelay: 0 };

/** The error for a request that is invalid regardless of what the table contains, or that would make an item invalid. */
export class Invalid extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', $metadata, message });
    // The constructor of the SDK's class sets that class as the prototype, so the prototype is set again.
    Object.setPrototypeOf(this, Invalid.prototype);
  }
}

/** The error for a failed condition. @param Item the existing item, if the request asked for it */
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

/**
 * The error for a request that uses a feature of DynamoDB that this table does not support. DynamoDB has no such error.
 */
export class Unknown extends Error {
  constructor(what: string) {
    super(
      `The table in memory does not know ${what}. Extend test/support/memory-table, and its tests in test/service/table.`,
    );
  }
}
