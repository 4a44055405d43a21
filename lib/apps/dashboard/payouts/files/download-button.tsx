import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Query } from '#lib/apps/web/api/api.ts';
import { saveFile } from '#lib/apps/web/api/save-file.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';

interface DownloadButtonProps {
  readonly text: string;
  readonly path: string;
  readonly query: Query;
  readonly fileName: string;
  readonly isSmall?: boolean;
  /** Called after the download, even if it failed. */
  readonly onEnd?: () => void;
}

/** Saves a file that the service creates. */
export function DownloadButton({ text, path, query, fileName, isSmall, onEnd }: DownloadButtonProps) {
  const { api } = useSession();
  const save = useAction(() =>
    api
      .download(path, query)
      .then((content) => saveFile(content, fileName))
      .finally(onEnd),
  );
  return (
    <>
      <button
        type="button"
        class={isSmall ? 'button small' : 'button'}
        aria-label={`${text}: ${fileName}`}
        aria-disabled={save.isPending}
        onClick={save.run}
      >
        {save.isPending ? 'Downloading…' : text}
      </button>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
