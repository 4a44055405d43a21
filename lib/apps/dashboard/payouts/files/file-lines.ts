import { formatOf } from '#lib/apps/dashboard/payouts/files/file-formats.ts';
import { gatherLines } from '#lib/apps/dashboard/payouts/lines/gather-lines.ts';
import type { Api } from '#lib/apps/web/api/api.ts';
import type { Gathered, Task } from '#lib/apps/web/api/gather-rows.ts';
import type { PayoutFiles } from '#lib/wire/earnings/payout-files.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

export type PayoutFile = PayoutFiles['files'][number];

/** What was downloaded of a file in this browser tab. */
interface Downloaded {
  /** Into how many parts the file was divided. */
  readonly parts: number;
  /** By part: the numbers of its lines. */
  readonly numbers: Readonly<Record<string, readonly string[]>>;
}

/**
 * Knows which lines a downloaded payment file contains. The service might write another file now, because a partner has
 * changed the payout details, or a hold has ended. So when a file is downloaded, the numbers of its lines are stored in
 * the browser tab.
 * @param path of the payout in the API
 */
export function fileLines(api: Pick<Api, 'answer' | 'get'>, path: string) {
  const keyOf = ({ format, currency }: PayoutFile) => `${path} ${format} ${currency}`;

  const recordedIn = ({ currency }: PayoutFile, task: Task) =>
    gatherLines(api, `${path}/lines`, { currency }, ['recorded'], task);

  /** Loads the lines that the service would write into the file now. @param part only those in this part */
  async function fitting(file: PayoutFile, task: Task, part?: number): Promise<Gathered<PayoutLine>> {
    const { method, holds = () => true } = formatOf(file.format);
    const [{ files, without_file: without }, found] = await Promise.all([
      api.get<PayoutFiles>(`${path}/files`),
      recordedIn(file, task),
    ]);
    const out = new Set(without.map(({ id }) => id));
    const { first_partner_ids: starts } = files.find((one) => keyOf(one) === keyOf(file)) ?? file;
    const [from = 0, before = Infinity] = part && starts ? starts.slice(part - 1, part + 1) : [];
    return {
      ...found,
      rows: found.rows.filter(
        (line) =>
          line.method === method &&
          !out.has(line.id) &&
          holds(line) &&
          line.partner_id >= from &&
          line.partner_id < before,
      ),
    };
  }

  function downloadedOf(file: PayoutFile): Downloaded | undefined {
    const stored = sessionStorage.getItem(keyOf(file));
    return stored === null ? undefined : (JSON.parse(stored) as Downloaded);
  }

  return {
    /** Stores which lines a part of the file contains, when the part is downloaded. */
    async keep(file: PayoutFile, part: number, content: Blob): Promise<void> {
      const { numbersIn } = formatOf(file.format);
      const numbers = numbersIn
        ? numbersIn(await content.text())
        : (await fitting(file, { onCount: () => {}, signal: new AbortController().signal }, part)).rows.map(
            ({ number }) => number,
          );
      const before = downloadedOf(file);
      const others = before?.parts === file.parts ? before.numbers : {};
      const downloaded: Downloaded = { parts: file.parts, numbers: { ...others, [part]: numbers } };
      sessionStorage.setItem(keyOf(file), JSON.stringify(downloaded));
    },

    /** Whether a part of the file was downloaded in this tab. */
    isDownloaded: (file: PayoutFile): boolean => downloadedOf(file) !== undefined,

    /**
     * Whether the file was downloaded in this tab when it was divided into another number of parts. A part that is
     * downloaded now may repeat lines of the former ones.
     */
    isDividedAnew(file: PayoutFile): boolean {
      const before = downloadedOf(file);
      return before !== undefined && before.parts !== file.parts;
    },

    /**
     * Loads the lines to mark as sent: those in the downloaded parts or, if nothing was downloaded, those that the file
     * would contain now.
     */
    async toMark(file: PayoutFile, task: Task): Promise<Gathered<PayoutLine>> {
      const downloaded = downloadedOf(file);
      if (!downloaded) return fitting(file, task);
      const numbers = new Set(Object.values(downloaded.numbers).flat());
      const found = await recordedIn(file, task);
      return { ...found, rows: found.rows.filter(({ number }) => numbers.has(number)) };
    },
  };
}
