import type { Option } from '#lib/apps/web/parts/forms/option.ts';
import type { AuditEntry } from '#lib/wire/people/audit.ts';
import type { Member } from '#lib/wire/people/people.ts';

type Actor = AuditEntry['actor'];

/** What an actor is, if not a person of the brand. */
export const actorKinds: Readonly<Record<Actor['kind'], string>> = {
  account: '',
  agent_key: 'A tool',
  partner: 'A partner',
};

/**
 * The people to choose from: the members, and all others whose changes are shown.
 * @param chosen the id of the chosen actor, who may be neither
 */
export function actorOptions(
  members: readonly Member[],
  entries: readonly Pick<AuditEntry, 'actor'>[],
  chosen: string,
): readonly Option[] {
  const names = new Map<string, string>();
  for (const { account_id: id, name, email } of members) if (id !== null) names.set(String(id), name ?? email);
  for (const { actor } of entries) {
    const id = String(actor.id);
    if (!names.has(id)) names.set(id, [actor.name, actorKinds[actor.kind].toLowerCase()].filter(Boolean).join(', '));
  }
  if (chosen !== '' && !names.has(chosen)) names.set(chosen, `Number ${chosen}`);
  return [...names];
}
