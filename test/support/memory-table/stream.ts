import type { DescribeStreamInput, GetRecordsInput, GetShardIteratorInput } from '@aws-sdk/client-dynamodb-streams';
import { logOf } from '#test/support/memory-table/tables.ts';

// The DynamoDB Streams API.

export function describeStream({ StreamArn }: DescribeStreamInput) {
  const { arn, shardIds } = logOf(StreamArn);
  return {
    StreamDescription: {
      StreamArn: arn,
      StreamStatus: 'ENABLED' as const,
      StreamViewType: 'NEW_AND_OLD_IMAGES' as const,
      Shards: shardIds.map((ShardId) => ({ ShardId })),
    },
  };
}

export const getShardIterator = ({ StreamArn, ShardIteratorType, SequenceNumber }: GetShardIteratorInput) => ({
  ShardIterator: iteratorAt(StreamArn, logOf(StreamArn).positionOf(ShardIteratorType!, SequenceNumber)),
});

export function getRecords({ ShardIterator = '', Limit }: GetRecordsInput) {
  const [arn, position] = ShardIterator.split('|');
  const { records, next } = logOf(arn).read(Number(position), Limit);
  return { Records: records, NextShardIterator: iteratorAt(arn, next) };
}

const iteratorAt = (arn: string | undefined, position: number): string => `${arn}|${position}`;
