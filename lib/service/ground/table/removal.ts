import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type Condition, conditionFields } from '#lib/service/ground/table/expressions.ts';
import type { Key } from '#lib/service/ground/table/keys.ts';
import type { Table } from '#lib/service/ground/table/table.ts';
import { returnExisting } from '#lib/service/ground/table/writes.ts';

/** Deletes an item; does nothing if there is none, unless the condition requires the item. @throws ConditionFailed */
export const removeItem = (table: Table, key: Key, condition?: Condition): Promise<void> =>
  table.delete(
    (TableName) =>
      new DeleteCommand({ TableName, Key: key, ...(condition && conditionFields(condition)), ...returnExisting }),
  );
