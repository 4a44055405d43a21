import { formatOf } from '#lib/apps/dashboard/payouts/files/file-formats.ts';
import { gatherLines } from '#lib/apps/dashboard/payouts/lines/gather-lines.ts';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { Gathered, Task } from '#lib/apps/web/api/gather-rows.ts';
import type { PayoutFiles } from '#lib/wire/earnings/payout-files.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

export type PayoutFile = PayoutFiles['files'][number];

/**
 * Knows which lines a downloaded payment file contains. The service might write another file now, because a partner has
 * changed the payout details, or a hold has ended. So when a file is downloaded, the numbers of its lines are stored in
 * the browser tab.
 * @param path of the payout in the API
 */
export function fileLines(api: Pick<Api, 'answer' | 'get'>, path: string) {
  const keyOf = ({ format, currency }: PayoutFile, part: number) => `${path} ${format} ${currency} ${part}`;

  const recordedIn = ({ currency }: PayoutFile, task: Task) =>
    gatherLines(api, `${path}/lines`, { currency }, ['recorded'], task);

  /** Loads the lines that the service would write into the file now. */
  async function fitting(file: PayoutFile, task: Task): Promise<Gathered<PayoutLine>> {
    const { method, holds = () => true } = formatOf(file.format);
    const [{ without_file: without }, found] = await Promise.all([
      api.get<PayoutFiles>(`${path}/files`),
      recordedIn(file, task),
    ]);
    const out = new Set(without.map(({ id }) => id));
    return { ...found, rows: found.rows.filter((line) => line.method === method && !out.has(line.id) && holds(line)) };
  }

  return {
    /** Stores which lines a part of the file contains, when the part is downloaded. */
    async keep(file: PayoutFile, part: number, content: Blob): Promise<void> {
      const { numbersIn } = formatOf(file.format);
      const numbers = numbersIn
        ? numbersIn(await content.text())
        : (await fitting(file, { onCount: () => {}, signal: new AbortController().signal })).rows.map(
            ({ number }) => number,
          );
      sessionStorage.setItem(keyOf(file, part), numbers.join(' '));
    },

    /** Whether a part of the file was downloaded in this tab. */
    isDownloaded: (file: PayoutFile): boolean => numbersOf(file).length > 0,

    /**
     * Loads the lines to mark as sent: those in the downloaded parts or, if nothing was downloaded, those that the file
     * would contain now.
     */
    async toMark(file: PayoutFile, task: Task): Promise<Gathered<PayoutLine>> {
      const numbers = new Set(numbersOf(file));
      if (numbers.size === 0) return fitting(file, task);
      const found = await recordedIn(file, task);
      return { ...found, rows: found.rows.filter(({ number }) => numbers.has(number)) };
    },
  };

  function numbersOf(file: PayoutFile): readonly string[] {
    const parts = Array.from({ length: file.parts }, (_, index) => sessionStorage.getItem(keyOf(file, index + 1)));
    return parts.flatMap((numbers) => numbers?.split(' ') ?? []);
  }
}
