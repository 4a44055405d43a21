/**
 * Compares texts by their UTF-8 bytes, as DynamoDB does. JavaScript compares UTF-16, whose order differs above U+FFFF.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** The rank of a code unit in UTF-8 order. Surrogates are last, because they encode the characters above U+FFFF. */
const rank = (unit: number): number => (unit >= 0xd8_00 && unit <= 0xdf_ff ? unit + 0x1_00_00 : unit);

/**
 * What rows are sorted by: the sort key. In an index, the item's own keys follow, because sort keys may repeat there.
 */
export type Place = readonly string[];

function comparePlaces(a: Place, b: Place): number {
  for (let at = 0; at < a.length; at++) {
    const difference = compareText(a[at]!, b[at]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A list of rows that is always sorted. */
export class Ordered<Row extends { readonly place: Place }> {
  readonly rows: Row[] = [];

  /** Finds the first row that meets a condition by bisection. All rows after it must meet the condition, too. */
  #first(holds: (row: Row) => boolean): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.rows[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  find(place: Place): Row | undefined {
    const row = this.rows[this.#at(place)];
    return row && comparePlaces(row.place, place) === 0 ? row : undefined;
  }

  #at(place: Place): number {
    const last = this.rows.at(-1);
    if (!last || comparePlaces(last.place, place) < 0) return this.rows.length;
    return this.#first((row) => comparePlaces(row.place, place) >= 0);
  }

  put(row: Row): void {
    const at = this.#at(row.place);
    const existing = this.rows[at];
    this.rows.splice(at, existing && comparePlaces(existing.place, row.place) === 0 ? 1 : 0, row);
  }

  remove(place: Place): void {
    const at = this.#at(place);
    const existing = this.rows[at];
    if (existing && comparePlaces(existing.place, place) === 0) this.rows.splice(at, 1);
  }

  /**
   * Returns the rows of a range in order.
   * @param side where a sort key is, relative to the range: below (-1), inside (0) or above (1)
   * @param after if given, only rows after this position are returned
   */
  *range(side: (sortKey: string) => number, isBackward: boolean, after?: Place): Generator<Row> {
    const from = this.#first(({ place }) => side(place[0]!) >= 0);
    const to = this.#first(({ place }) => side(place[0]!) > 0);
    if (isBackward) {
      const end = after ? Math.min(to, this.#at(after)) : to;
      for (let at = end - 1; at >= from; at--) yield this.rows[at]!;
    } else {
      const begin = after
        ? Math.max(
            from,
            this.#first(({ place }) => comparePlaces(place, after) > 0),
          )
        : from;
      for (let at = begin; at < to; at++) yield this.rows[at]!;
    }
  }
}
