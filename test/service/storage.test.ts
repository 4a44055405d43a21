import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { documentClient } from '#lib/service/storage.ts';

const middlewaresOf = (client: Pick<DynamoDBClient, 'middlewareStack'>) =>
  client.middlewareStack.identify().map((entry) => entry.split(' ')[0]);

it('the client of the table does nothing for a call that is not observed', () => {
  const all = middlewaresOf(new DynamoDBClient({ region: 'us-east-1' }));
  const ours = middlewaresOf(documentClient({ dynamodbEndpoint: undefined, region: 'us-east-1' }));
  expect(all.filter((name) => !ours.includes(name))).toEqual([
    'loggerMiddleware',
    'getUserAgentMiddleware',
    'recursionDetectionMiddleware',
  ]);
});
