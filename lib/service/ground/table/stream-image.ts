import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import type { Key } from '#lib/service/ground/table/keys.ts';
import { numberReading } from '#lib/service/ground/table/numbers.ts';

/** Converts the image in a stream record to an item. */
export const itemOfImage = (image: Readonly<Record<string, AttributeValue>>) =>
  unmarshall(image as Parameters<typeof unmarshall>[0], numberReading) as Key & Readonly<Record<string, unknown>>;
