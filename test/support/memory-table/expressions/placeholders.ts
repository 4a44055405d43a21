import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Invalid } from '#test/support/memory-table/errors.ts';
import { admittedItem, type Item } from '#test/support/memory-table/expressions/values.ts';

/**
 * Names and values in a request's expressions. Those that are used must be defined, and those that are defined must be
 * used.
 */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Item;
  readonly #used = new Set<string>();

  constructor(names: Readonly<Record<string, string>> = {}, values: Item = {}) {
    this.#names = names;
    this.#values = admittedItem(values);
  }

  /** Returns the attribute that a token names. */
  name(token: string): string {
    if (!token.startsWith('#')) return token;
    this.#used.add(token);
    const name = this.#names[token];
    if (name === undefined) {
      throw new Invalid(
        `An expression attribute name used in the document path is not defined; attribute name: ${token}`,
      );
    }
    return name;
  }

  value(token: string): AttributeValue {
    this.#used.add(token);
    const value = this.#values[token];
    if (value === undefined) {
      throw new Invalid(`An expression attribute value used in expression is not defined; attribute value: ${token}`);
    }
    return value;
  }

  /** Checks that every name and value is used; call it when all expressions are parsed. @throws Invalid */
  expectAllUsed(): void {
    const unused = (defined: object) => Object.keys(defined).filter((token) => !this.#used.has(token));
    const [names, values] = [unused(this.#names), unused(this.#values)];
    if (names.length > 0) {
      throw new Invalid(
        `Value provided in ExpressionAttributeNames unused in expressions: keys: {${names.join(', ')}}`,
      );
    }
    if (values.length > 0) {
      throw new Invalid(
        `Value provided in ExpressionAttributeValues unused in expressions: keys: {${values.join(', ')}}`,
      );
    }
  }
}
