import { Invalid, Unknown } from '#test/support/memory-table/errors.ts';
import { compareText } from '#test/support/memory-table/expressions/ordered.ts';
import type { Placeholders } from '#test/support/memory-table/expressions/placeholders.ts';
import { Tokens } from '#test/support/memory-table/expressions/tokens.ts';

/** Where a sort key is, relative to the queried range: -1 below, 0 inside, 1 above. */
type Side = (sortKey: string) => number;

interface KeyCondition {
  readonly partition: string;
  readonly side: Side;
}

/**
 * Parses a key condition: it has the partition key, and at most one condition on the sort key.
 * @throws Invalid, Unknown
 */
export function keyConditionOf(
  text: string,
  placeholders: Placeholders,
  { partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string },
): KeyCondition {
  const tokens = new Tokens(text);
  const value = () => {
    const { S } = placeholders.value(tokens.value());
    if (S === undefined) {
      throw new Invalid(
        'One or more parameter values were invalid: Condition parameter type does not match schema type',
      );
    }
    if (S === '') {
      throw new Invalid('One or more parameter values are not valid. A key condition holds an empty string value');
    }
    return S;
  };
  expectName(partitionKey);
  tokens.expect('=');
  const partition = value();
  const side = tokens.takes('AND') ? sideOf() : () => 0;
  tokens.end();
  return { partition, side };

  function expectName(wanted: string): void {
    const name = placeholders.name(tokens.name());
    if (name !== wanted) throw new Invalid(`Query condition missed key schema element: ${wanted}`);
  }

  function sideOf(): Side {
    if (tokens.isFollowedBy('(')) {
      tokens.expect('begins_with');
      tokens.expect('(');
      expectName(sortKey);
      tokens.expect(',');
      const prefix = value();
      tokens.expect(')');
      return (key) => (key.startsWith(prefix) ? 0 : compareText(key, prefix));
    }
    expectName(sortKey);
    const operator = tokens.take();
    const limit = value();
    if (operator === 'BETWEEN') {
      tokens.expect('AND');
      const high = value();
      if (compareText(limit, high) > 0) {
        throw new Invalid(
          'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
        );
      }
      return (key) => (compareText(key, limit) < 0 ? -1 : Number(compareText(key, high) > 0));
    }
    const sides: Readonly<Record<string, (difference: number) => number>> = {
      '=': (difference) => difference,
      '<': (difference) => Number(difference >= 0),
      '<=': (difference) => Number(difference > 0),
      '>': (difference) => -Number(difference <= 0),
      '>=': (difference) => -Number(difference < 0),
    };
    const sideFor = sides[operator];
    if (!sideFor) throw new Unknown(`the operator ${operator} in a key condition`);
    return (key) => sideFor(compareText(key, limit));
  }
}
