import { DatabaseSync } from 'node:sqlite';

/**
 * Adds an index to the engine's file. At every write the engine searches for the latest stream record; without an
 * index, 2,000 writes a second drop to 500 after 20,000 records. The engine must have opened the file before.
 */
export function indexStreamRecords(dbPath: string): void {
  const database = new DatabaseSync(dbPath);
  try {
    database.exec(`
      PRAGMA busy_timeout = 3000;
      CREATE INDEX IF NOT EXISTS stream_records_in_order
        ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    `);
  } finally {
    database.close();
  }
}
