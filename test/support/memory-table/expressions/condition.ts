import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Invalid, Unknown } from '#test/support/memory-table/errors.ts';
import { expectShort, MOST_IN_OPERANDS } from '#test/support/memory-table/units/limits.ts';
import type { Placeholders } from '#test/support/memory-table/expressions/placeholders.ts';
import { Tokens } from '#test/support/memory-table/expressions/tokens.ts';
import { areEqual, compared, type Item, typeOf } from '#test/support/memory-table/expressions/values.ts';

/** Whether an item meets a condition. If there is no item, the condition is evaluated on an item without attributes. */
export type Condition = (item: Item) => boolean;

/** Parses a condition or filter. @throws Invalid, Unknown */
export function conditionOf(text: string | undefined, placeholders: Placeholders): Condition {
  if (text === undefined) return () => true;
  expectShort(text);
  const tokens = new Tokens(text);
  const condition = anyOf(tokens, placeholders);
  tokens.end();
  return condition;
}

function anyOf(tokens: Tokens, placeholders: Placeholders): Condition {
  const parts = [allOf(tokens, placeholders)];
  while (tokens.takes('OR')) parts.push(allOf(tokens, placeholders));
  return (item) => parts.some((holds) => holds(item));
}

function allOf(tokens: Tokens, placeholders: Placeholders): Condition {
  const parts = [single(tokens, placeholders)];
  while (tokens.takes('AND')) parts.push(single(tokens, placeholders));
  return (item) => parts.every((holds) => holds(item));
}

function single(tokens: Tokens, placeholders: Placeholders): Condition {
  if (tokens.takes('(')) {
    const inner = anyOf(tokens, placeholders);
    tokens.expect(')');
    return inner;
  }
  return tokens.isFollowedBy('(') ? called(tokens, placeholders) : comparison(tokens, placeholders);
}

function called(tokens: Tokens, placeholders: Placeholders): Condition {
  const name = tokens.take();
  tokens.expect('(');
  const attribute = placeholders.name(tokens.name());
  tokens.expect(')');
  if (name === 'attribute_exists') return (item) => item[attribute] !== undefined;
  if (name === 'attribute_not_exists') return (item) => item[attribute] === undefined;
  throw new Unknown(`the function ${name} in a condition`);
}

const orders: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
};

function comparison(tokens: Tokens, placeholders: Placeholders): Condition {
  const attribute = placeholders.name(tokens.name());
  const operator = tokens.take();
  const value = () => placeholders.value(tokens.value());
  const isEqualTo = (wanted: AttributeValue) => (item: Item) => {
    const found = item[attribute];
    return found !== undefined && areEqual(found, wanted);
  };
  if (operator === '=') return isEqualTo(value());
  if (operator === 'IN') {
    tokens.expect('(');
    const wanted = tokens.list(value).map(isEqualTo);
    tokens.expect(')');
    if (wanted.length > MOST_IN_OPERANDS) {
      throw new Invalid('Invalid expression: Incorrect number of operands for operator or function; operator: IN');
    }
    return (item) => wanted.some((holds) => holds(item));
  }
  const order = orders[operator];
  if (!order) throw new Unknown(`the operator ${operator} in a condition`);
  const limit = value();
  if (!['S', 'N', 'B'].includes(typeOf(limit))) {
    throw new Invalid(`Invalid expression: Incorrect operand type for operator or function; operator: ${operator}`);
  }
  return (item) => {
    const found = item[attribute];
    const difference = found && compared(found, limit);
    return difference !== undefined && order(difference);
  };
}
