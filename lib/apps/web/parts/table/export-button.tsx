import { useEffect, useRef, useState } from 'preact/hooks';
import { countText } from '#lib/apps/web/format.ts';
import { type Exported, MOST_ROWS, type Task } from '#lib/apps/web/api/gather-rows.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { saveFile } from '#lib/apps/web/api/save-file.ts';

interface ExportButtonProps {
  readonly fileName: string;
  /** Collects all pages of the list shown. @throws ApiError */
  readonly make: (task: Task) => Promise<Exported>;
}

/** Saves a list as a file. Leaving the page cancels it. */
export function ExportButton({ fileName, make }: ExportButtonProps) {
  const [count, setCount] = useState(0);
  const [isCut, setCut] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const save = useAction(async () => {
    const { signal } = leaving.current;
    setCount(0);
    setCut(false);
    const { content, isWhole } = await make({ onCount: setCount, signal });
    if (signal.aborted) return;
    saveFile(content, fileName);
    setCut(!isWhole);
  });
  return (
    <>
      <button type="button" class="button" aria-disabled={save.isPending} onClick={save.run}>
        {save.isPending ? `Exporting…${count > 0 ? ` ${countText(count)} rows` : ''}` : 'Export CSV'}
      </button>
      {isCut && (
        <p class="page-note" role="status">
          The file holds the first {countText(MOST_ROWS)} rows. Filter further to export the others.
        </p>
      )}
      {save.error && <Failure error={save.error} />}
    </>
  );
}
