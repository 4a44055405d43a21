import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Invalid, Unknown } from '#test/support/memory-table/errors.ts';
import { expectShort } from '#test/support/memory-table/units/limits.ts';
import { addNumbers } from '#test/support/memory-table/expressions/numbers.ts';
import type { Placeholders } from '#test/support/memory-table/expressions/placeholders.ts';
import { Tokens } from '#test/support/memory-table/expressions/tokens.ts';
import { admitted, type Item, typed, typeOf } from '#test/support/memory-table/expressions/values.ts';

/**
 * Computes the new value of an attribute from the item as it was before the update; undefined removes the attribute.
 */
type Action = (item: Item) => AttributeValue | undefined;

/** The actions of an update, by attribute. Each is computed from the item as it was before the update. */
export type Update = ReadonlyMap<string, Action>;

const clauses = { SET: assignment, REMOVE: removal, ADD: addition, DELETE: subtraction };

/** Parses an update. @throws Invalid, Unknown */
export function updateOf(text: string | undefined, placeholders: Placeholders): Update {
  const actions = new Map<string, Action>();
  if (text === undefined) return actions;
  expectShort(text);
  const tokens = new Tokens(text);
  const seen = new Set<string>();
  while (tokens.next !== undefined || seen.size === 0) {
    const keyword = tokens.take();
    if (!(keyword in clauses)) throw new Invalid(`Invalid UpdateExpression: Syntax error; token: "${keyword}"`);
    if (seen.has(keyword))
      throw new Invalid(`Invalid UpdateExpression: The "${keyword}" section can only be used once`);
    seen.add(keyword);
    tokens.list(() => {
      const attribute = placeholders.name(tokens.name());
      if (actions.has(attribute)) {
        throw new Invalid(`Invalid UpdateExpression: Two document paths overlap with each other; path: [${attribute}]`);
      }
      actions.set(attribute, clauses[keyword as keyof typeof clauses](attribute, tokens, placeholders));
    });
  }
  return actions;
}

/** Returns the item after the update. @throws Invalid if an attribute's type does not allow the action */
export function updated(item: Item, update: Update): Record<string, AttributeValue> {
  const after = { ...item };
  for (const [attribute, action] of update) {
    const value = action(item);
    if (value === undefined) delete after[attribute];
    else after[attribute] = value;
  }
  return after;
}

function assignment(attribute: string, tokens: Tokens, placeholders: Placeholders): Action {
  tokens.expect('=');
  if (!tokens.isFollowedBy('(')) {
    const value = placeholders.value(tokens.value());
    return () => value;
  }
  tokens.expect('if_not_exists');
  tokens.expect('(');
  const named = placeholders.name(tokens.name());
  if (named !== attribute) throw new Unknown('if_not_exists of another attribute');
  tokens.expect(',');
  const value = placeholders.value(tokens.value());
  tokens.expect(')');
  return (item) => item[attribute] ?? value;
}

function removal(): Action {
  return () => undefined;
}

const isSet = (type: string): boolean => ['SS', 'NS', 'BS'].includes(type);

const unfit = () => new Invalid('An operand in the update expression has an incorrect data type');

function addition(attribute: string, tokens: Tokens, placeholders: Placeholders): Action {
  const amount = placeholders.value(tokens.value());
  const [type, added] = typed(amount);
  if (type !== 'N' && !isSet(type)) throw wrongOperand('ADD', type);
  return (item) => {
    const before = item[attribute];
    if (before === undefined) return amount;
    if (typeOf(before) !== type) throw unfit();
    if (type === 'N') return { N: addNumbers(before.N!, amount.N!) };
    return withMembers(type, [...membersOf(before), ...(added as unknown[])]);
  };
}

function subtraction(attribute: string, tokens: Tokens, placeholders: Placeholders): Action {
  const taken = placeholders.value(tokens.value());
  const type = typeOf(taken);
  if (!isSet(type)) throw wrongOperand('DELETE', type);
  return (item) => {
    const before = item[attribute];
    if (before === undefined) return undefined;
    if (typeOf(before) !== type) throw unfit();
    const gone = new Set(membersOf(taken).map(String));
    const left = membersOf(before).filter((member) => !gone.has(String(member)));
    return left.length > 0 ? withMembers(type, left) : undefined;
  };
}

const membersOf = (set: AttributeValue): unknown[] => typed(set)[1] as unknown[];

/** A set that contains each member once. */
const withMembers = (type: string, members: readonly unknown[]): AttributeValue =>
  admitted({
    [type]: [...new Map(members.map((member) => [String(member), member])).values()],
  } as unknown as AttributeValue);

const wrongOperand = (operator: string, type: string) =>
  new Invalid(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}`,
  );
