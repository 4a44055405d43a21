import { copyFile } from 'node:fs/promises';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { feedKeys } from '#lib/service/ground/table/keys.ts';
import { buyerClickIdOf, buyerKeyOf, transactionIdOf, visitorClickIdOf } from '#test/bench/support/tables/names.ts';
import { anyId } from '#test/bench/support/recorded.ts';
import { firstOf, type SeededTable } from '#test/bench/support/tables/seeded-table.ts';

/** The copies of a customer are dated up to this many seconds before the original. */
const SPREAD_SECONDS = 20 * 24 * 3_600;
const FIRST_COPIED_ID = 1_000_000_000;
const CLICK_KEYS = feedKeys(0, 'click', 'EVENTS').length;
/** How many ids each copy has. No original has more. */
const IDS_OF_A_CUSTOMER = 10;

/**
 * Copies the table and adds customers to the copy. They are written directly into the engine's file, because creating a
 * million of them through the functions would take hours. The hold of each commission ends when the original's does.
 * @param customers number of buyers, who have clicked, signed up and paid once
 * @param visitors number of visitors of the first brand, who have only clicked; later requests are their leads
 */
export async function filledCopy(
  seeded: SeededTable,
  file: string,
  { customers, visitors }: { readonly customers: number; readonly visitors: number },
): Promise<void> {
  const { tableName, originals, at } = seeded;
  const seed = new DatabaseSync(seeded.file);
  seed.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  seed.close();
  await copyFile(seeded.file, file);

  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN');
  const [{ visitorClickId }] = originals;
  copyRows(`S:CUSTOMER#${visitorClickId}`, { first: 0, next: visitors }, [
    [visitorClickId, sql(visitorClickIdOf)],
    [at, timeOf(visitors)],
  ]);
  for (const [brand, original] of originals.entries()) {
    const buyers = { first: firstOf(brand, customers), next: firstOf(brand + 1, customers) };
    // The commission is in another partition, which is found by a sort key that contains the sale's id.
    const buyerRows = [
      `S:CUSTOMER#${original.buyerClickId}`,
      `S:KEY#${original.buyerKey}`,
      `S:SALE#${original.transactionId}`,
      ...partitionsOf(`S:OF#${original.transactionId}`),
    ];
    for (const pk of buyerRows) {
      copyRows(pk, buyers, [
        [original.buyerClickId, sql(buyerClickIdOf)],
        [original.buyerKey, sql(buyerKeyOf)],
        [original.transactionId, sql(transactionIdOf)],
        [at, timeOf(customers)],
      ]);
    }
  }
  database.exec('COMMIT; PRAGMA journal_mode = WAL');
  database.close();

  function timeOf(count: number): string {
    return `strftime('%Y-%m-%dT%H:%M:%fZ', '${at}', '-' || ((${count} - n) * ${SPREAD_SECONDS / count}) || ' seconds')`;
  }
  function partitionsOf(sk: string): string[] {
    return database
      .prepare(`SELECT pk FROM "${tableName}" WHERE sk = ?`)
      .all(sk)
      .map(({ pk }) => String(pk));
  }

  /**
   * Copies all rows of a partition, in the table and in its indexes.
   * @param own for each text that differs from copy to copy, the SQL that computes it
   */
  function copyRows(pk: string, range: Range, own: readonly (readonly [text: string, sql: string])[]): void {
    for (const [table, column] of [
      [`"${tableName}"`, 'pk'],
      [`"${tableName}::gsi::gsi1"`, 'table_pk'],
      [`"${tableName}::gsi::gsi2"`, 'table_pk'],
    ] as const) {
      for (const row of database.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).all(pk)) {
        const columns = Object.keys(row);
        const values = columns.map((name) => copied(row[name], own));
        database
          .prepare(
            `INSERT INTO ${table} (${columns.join(', ')})
             WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
             SELECT ${values.join(', ')} FROM numbers`,
          )
          .run(range.first, range.next);
      }
    }
  }
}

interface Range {
  readonly first: number;
  /** The number after the last one of the range. */
  readonly next: number;
}

/** Returns SQL that computes the name of number `n`. */
const sql = (nameOf: (n: number) => string): string => {
  const [, before, zeros] = /^(.*?)(0+)$/.exec(nameOf(0))!;
  return `printf('${before}%0${zeros!.length}d', n)`;
};

/** Returns SQL that computes the value of a column in the `n`-th copy. */
function copied(value: SQLOutputValue | undefined, own: readonly (readonly [text: string, sql: string])[]): string {
  if (typeof value === 'number') return `${value}`;
  if (typeof value !== 'string') return 'NULL';
  const ids = (value.match(anyId) ?? []).map((id) => {
    const place = Number(id) % IDS_OF_A_CUSTOMER;
    return [id, `CAST(${FIRST_COPIED_ID + place} + n * ${IDS_OF_A_CUSTOMER} AS TEXT)`] as const;
  });
  // The list of clicks has several keys in the index. The copies are distributed over them, like real clicks.
  const feeds = (value.match(/#EVENTS#click(#\d+)?/) ?? [])
    .slice(0, 1)
    .map((feed) => [feed, `'#EVENTS#click' || iif(n % ${CLICK_KEYS}, '#' || (n % ${CLICK_KEYS}), '')`] as const);
  let expression = `'${value.replaceAll("'", "''")}'`;
  for (const [text, replacement] of new Map([...own, ...ids, ...feeds])) {
    if (value.includes(text)) expression = `replace(${expression}, '${text}', ${replacement})`;
  }
  return expression;
}
