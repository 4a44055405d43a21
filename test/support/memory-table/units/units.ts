import type { Change } from '#test/support/memory-table/row.ts';
import type { Rows } from '#test/support/memory-table/rows.ts';

// Capacity units as AWS counts them: one write unit per kilobyte of the item before or after the write, whichever is
// larger; one read unit per four kilobytes. Each number is rounded up.

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

/**
 * Read units for data that are read together. An eventually consistent read costs half.
 * @param bytes their total size
 */
export const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (isConsistent ? 1 : 0.5);

/**
 * Write units for the table, doubled in a transaction, and for each index in which the item gets, loses or moves its
 * row.
 */
export function unitsOfChange(rows: Rows, change: Change, isInTransaction: boolean): number {
  const { before, after } = change;
  const ofTable = writeUnits(Math.max(before?.bytes ?? 0, after?.bytes ?? 0)) * (isInTransaction ? 2 : 1);
  const ofIndexes = rows
    .indexChanges(change)
    .flatMap(({ removed, added }) => [removed, added])
    .reduce((total, written) => total + (written ? writeUnits(written.row.bytes) : 0), 0);
  return ofTable + ofIndexes;
}
