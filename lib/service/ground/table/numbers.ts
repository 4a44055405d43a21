import type { unmarshallOptions } from '@aws-sdk/util-dynamodb';
import { safeInteger } from '#lib/service/ground/values/money.ts';

/**
 * How numbers of the table are read. The table adds with 38 digits, so a counter can grow beyond what a JavaScript number
 * holds exactly. It then reads as the largest safe integer: the SDK by itself would refuse the whole item, and with it
 * every list that holds it. Fractions (commission rates) stay what they are.
 */
export const numberReading: unmarshallOptions = { wrapNumbers: (text: string) => safeInteger(Number(text)) };
