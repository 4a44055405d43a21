import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { documentClient } from '#lib/deps.ts';

it('the client of the table prepares no log lines', () => {
  const logger = expect.stringMatching(/^loggerMiddleware\b/);
  expect(new DynamoDBClient({ region: 'us-east-1' }).middlewareStack.identify()).toContainEqual(logger);
  const ours = documentClient({ dynamodbEndpoint: undefined, region: 'us-east-1' });
  expect(ours.middlewareStack.identify()).not.toContainEqual(logger);
});
