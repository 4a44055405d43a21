import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { SentCall } from '#test/support/sent-calls.ts';

/**
 * A sale without any of our code: it sends the calls that a real sale sent, with the transaction id changed, and
 * decides nothing. What a real sale takes beyond it is what our code costs.
 */
export function bareSale(client: DynamoDBDocumentClient, calls: readonly SentCall[], transactionId: string) {
  const inputOf = (command: string): unknown => {
    const call = calls.find(({ name }) => name === command);
    if (!call) throw new Error(`A sale sent no ${command}`);
    return call.input;
  };
  const count = inputOf('UpdateCommand') as UpdateCommandInput;
  const read = inputOf('BatchGetCommand') as BatchGetCommandInput;
  const write = inputOf('TransactWriteCommand') as TransactWriteCommandInput;
  const [[tableName, reads] = ['', undefined]] = Object.entries(read.RequestItems ?? {});
  const renamed = (key: string, to: string) => (key === `SALE#${transactionId}` ? `SALE#${to}` : key);

  return async (newId: string): Promise<void> => {
    const keys = reads?.Keys?.map(({ pk, sk }) => ({ pk: renamed(pk, newId), sk }));
    await Promise.all([
      client.send(new UpdateCommand(count)),
      client.send(new BatchGetCommand({ RequestItems: { [tableName]: { ...reads, Keys: keys } } })),
    ]);
    const TransactItems = write.TransactItems?.map(({ Put }) =>
      Put ? { Put: { ...Put, Item: { ...Put.Item, pk: renamed(Put.Item?.pk, newId), transactionId: newId } } } : {},
    );
    await client.send(new TransactWriteCommand({ TransactItems }));
  };
}
