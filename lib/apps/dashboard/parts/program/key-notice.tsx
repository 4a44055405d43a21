import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';

/** Warns that the program key must be replaced before a deadline, or no longer works because it was not replaced. */
export function KeyNotice() {
  const { program, warnings } = useProgram();
  return (
    <>
      {warnings.map(({ code, message, hint, docs_url: docsUrl }) => (
        <div class="notice warning" role="status" key={code}>
          <p>
            <strong>{message}</strong> {hint}
          </p>
          <p class="notice-links">
            <a href={sectionPath(program.id, 'api-key')}>Replace the key</a>
            <a href={`${docsUrl}#${code}`} target="_blank" rel="noreferrer">
              What this means
            </a>
          </p>
        </div>
      ))}
    </>
  );
}
