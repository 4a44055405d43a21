import { flagTitles } from '#lib/apps/dashboard/rules/rule-texts.ts';
import type { Commission } from '#lib/wire/earnings/commission.ts';

/** Lists the rules that matched when the commission was created, each with the reason why it matched. */
export const Flags = ({ of: { flags } }: { readonly of: Pick<Commission, 'flags'> }) => (
  <>
    {flags.map(({ rule, evidence }) => (
      <div key={rule} class="flag">
        <strong>{flagTitles[rule]}:</strong> {evidence}
      </div>
    ))}
  </>
);
