import type { _Record as StreamRecord, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

interface StreamReply {
  readonly statusCode: number;
  readonly body: IncomingMessage;
}

interface SentRecord extends Omit<StreamRecord, 'dynamodb'> {
  readonly dynamodb?: Omit<NonNullable<StreamRecord['dynamodb']>, 'ApproximateCreationDateTime'> & {
    readonly ApproximateCreationDateTime?: number;
  };
}

interface Sent {
  readonly Records?: readonly SentRecord[];
  readonly __type?: string;
  readonly message?: string;
}

/**
 * Makes a client return stream records unparsed, as Lambda passes them, with binary values in base64. The SDK would
 * convert every value of every record, even of the many that no consumer reads.
 */
export function readAsSent({ middlewareStack }: DynamoDBStreamsClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const { response } = await next(args);
      const { statusCode, body } = response as StreamReply;
      const { Records, ...sent } = (await json(body)) as Sent;
      if (statusCode !== 200) throw refusal(statusCode, sent);
      return { response, output: { $metadata: {}, ...sent, Records: Records?.map(withDate) } };
    },
    // Replaces the SDK's deserializer.
    { name: 'deserializerMiddleware', step: 'deserialize', override: true },
  );
}

const withDate = ({ dynamodb, ...record }: SentRecord): StreamRecord => ({
  ...record,
  dynamodb: {
    ...dynamodb,
    ApproximateCreationDateTime: new Date(1_000 * (dynamodb?.ApproximateCreationDateTime ?? 0)),
  },
});

/** Creates an error whose name and status tell the SDK whether to retry the call. */
const refusal = (httpStatusCode: number, { __type = '', message = '' }: Sent): Error =>
  Object.assign(new Error(message), { name: __type.split('#').at(-1), $metadata: { httpStatusCode } });
