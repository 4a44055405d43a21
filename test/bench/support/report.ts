import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { version } from 'node:process';
import { mapped } from '#test/bench/support/tables/mapped.ts';
import type { Spread } from '#test/bench/support/measure.ts';

type Cell = number | string | Spread;
/** The rows of a table by name. Each row has its cells by name. */
export type Rows = Readonly<Record<string, Readonly<Record<string, Cell>>>>;

const folder = join(import.meta.dirname, '..', '..', '..', '.local');
const file = join(folder, 'bench.json');

/** Prints the results, and stores them in `.local/bench.json` next to the results of the other parts of the bench. */
export async function report(name: string, rows: Rows): Promise<void> {
  console.log(`\n${name}`);
  console.table(mapped(rows, (row) => mapped(row, shown)));
  const known = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  const found = { at: new Date().toISOString(), node: version, load: loadavg()[0], rows };
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify({ ...known, [name]: found }, undefined, 2));
}

function shown(cell: Cell): number | string {
  if (typeof cell === 'number') return rounded(cell);
  if (typeof cell === 'string') return cell;
  return `${rounded(cell.median)} (${rounded(cell.low)} to ${rounded(cell.high)})`;
}

/** Rounds a value to three digits, because these measurements are not more precise. */
const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
