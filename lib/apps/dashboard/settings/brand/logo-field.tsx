import { useId, useRef, useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ApiError } from '#lib/apps/web/api/api-error.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import type { Brand } from '#lib/wire/programs/brand/brand.ts';

/** The service's limit. A larger file is refused here, because API Gateway would refuse it without giving a reason. */
const MOST_BYTES = 204_800;
/** What the browser takes a file for. The service looks into the file. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
const LIMITS = 'PNG, JPEG or WebP, at most 200 KB and 4096 pixels a side.';

interface LogoFieldProps {
  readonly brand: Brand;
  readonly onChanged: (brand: Brand) => void;
}

/** The logo, which is uploaded as soon as it is chosen or dropped here. */
export function LogoField({ brand: { logo }, onChanged }: LogoFieldProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [saved, setSaved] = useState('');
  const { run, isPending, error } = useAction(async (change: () => Promise<Brand>) => {
    setSaved('');
    const brand = await change();
    onChanged(brand);
    setSaved(brand.logo ? 'Saved: partners see this logo now.' : 'Removed: partners see the name only.');
  });

  const send = (file: File): void =>
    run(() => {
      if (!TYPES.includes(file.type))
        throw new ApiError(`This file is not an image for a logo. Choose another: ${LIMITS}`);
      if (file.size > MOST_BYTES) throw new ApiError(`This file is too large for a logo. Choose another: ${LIMITS}`);
      return api.upload<Brand>(`${path}/brand/logo`, file);
    });
  function chosen(): void {
    const file = input.current!.files?.[0];
    // Without this, the browser would report no change if the same file was chosen again.
    input.current!.value = '';
    if (file) send(file);
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) send(file);
  }
  return (
    <div class="field">
      <span class="field-name" id={`${id}-name`}>
        Logo
      </span>
      <div
        class={`drop-area ${isOver ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {logo && <img src={logo.url} alt="The present logo" />}
        <div class="form-buttons">
          <label class="button" id={`${id}-choose`}>
            {logo ? 'Replace…' : 'Choose a file…'}
            <input
              ref={input}
              class="visually-hidden"
              type="file"
              accept={TYPES.join(',')}
              aria-labelledby={`${id}-name ${id}-choose`}
              aria-describedby={`${id}-hint`}
              onChange={chosen}
            />
          </label>
          {logo && (
            <button
              type="button"
              class="button"
              aria-disabled={isPending}
              onClick={() => {
                run(() => api.send<Brand>('DELETE', `${path}/brand/logo`));
                // The button goes with the logo.
                input.current?.focus();
              }}
            >
              Remove the logo
            </button>
          )}
        </div>
        <p class="hint" id={`${id}-hint`} role="status">
          {!isPending && saved && <strong>{saved} </strong>}
          {isPending
            ? 'One moment…'
            : `${logo ? `${logo.width} × ${logo.height} pixels.` : 'Or drop a file here.'} ${LIMITS}`}
        </p>
      </div>
      {error && <Failure error={error} />}
    </div>
  );
}
