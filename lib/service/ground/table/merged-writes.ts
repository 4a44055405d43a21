import type { Condition, ItemChange } from '#lib/service/ground/table/expressions.ts';
import type { Write } from '#lib/service/ground/table/writes.ts';

type Change = Write & { readonly change: ItemChange };
type Check = Write & { readonly check: true };

/**
 * Merges the writes of several decisions into one transaction, which allows one write per item. If an earlier write
 * sets an attribute on which a later write has a condition, this condition is left out, because the stored item does
 * not have the new value yet.
 */
export function mergedWrites(writes: readonly Write[]): Write[] {
  const byKey = new Map<string, Write>();
  for (const write of writes) {
    const name = `${write.key.pk} ${write.key.sk}`;
    const earlier = byKey.get(name);
    byKey.set(name, earlier ? merged(earlier, write) : write);
  }
  return [...byKey.values()];
}

function merged(earlier: Write, later: Write): Write {
  if (!isMergeable(earlier) || !isMergeable(later)) {
    throw new Error(`${earlier.name} and ${later.name} write the same item, and are not both changes of it`);
  }
  const [before, after] = [changeOf(earlier), changeOf(later)];
  if (before.add && after.add) throw new Error(`${earlier.name} and ${later.name} both add to the same item`);
  const condition = mergedConditions(earlier.condition, later.condition, before.set ?? {});
  const { name, key } = earlier;
  if ('check' in earlier && 'check' in later) return { name, key, check: true, condition };
  const change = {
    set: { ...before.set, ...after.set },
    ...((before.add ?? after.add) && { add: before.add ?? after.add }),
  };
  return { name, key, change, condition };
}

const isMergeable = (write: Write): write is Change | Check => 'change' in write || 'check' in write;

const changeOf = (write: Change | Check): ItemChange => ('change' in write ? write.change : {});

function mergedConditions(
  earlier: Condition | undefined,
  later: Condition | undefined,
  set: Readonly<Record<string, unknown>>,
): Condition | undefined {
  if (!earlier || !later) return earlier ?? later;
  const demanded = Object.entries(later.equals ?? {}).filter(([name]) => !Object.hasOwn(set, name));
  return { ...later, ...earlier, equals: { ...Object.fromEntries(demanded), ...earlier.equals } };
}
