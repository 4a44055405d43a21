import type { unmarshallOptions } from '@aws-sdk/util-dynamodb';
import { safeInteger } from '#lib/service/ground/values/money.ts';

/**
 * How numbers are read from the table. DynamoDB adds with 38 digits, so a counter can exceed what a JavaScript number
 * holds exactly. Such a number is read as the largest safe integer. By default the SDK would refuse the item, and every
 * list that contains it. Fractions (commission rates) stay as they are.
 */
export const numberReading: unmarshallOptions = { wrapNumbers: (text: string) => safeInteger(Number(text)) };
