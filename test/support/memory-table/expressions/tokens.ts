import { Invalid, Unknown } from '#test/support/memory-table/errors.ts';

/** Matches a token: a name (`#name` or plain), a value (`:value`), an operator or a word. */
const TOKEN = /\s*(?:(#\w+)|(:\w+)|([A-Za-z_]\w*)|(<=|>=|=|<|>|\(|\)|,)|(\S+))/y;

const keywords = new Set(['AND', 'OR', 'IN', 'BETWEEN', 'SET', 'REMOVE', 'ADD', 'DELETE']);

/** Reads the tokens of an expression from left to right. */
export class Tokens {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match && match[0].trim(); match = TOKEN.exec(text)) {
      if (match[5] !== undefined) throw new Unknown(`"${match[5]}" in the expression ${text}`);
      const token = match[0].trim();
      this.#tokens.push(keywords.has(token.toUpperCase()) ? token.toUpperCase() : token);
    }
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  /** Whether the token after the next one is this. */
  isFollowedBy(token: string): boolean {
    return this.#tokens[this.#at + 1] === token;
  }

  /** If the next token is this, consumes it. @returns whether it was */
  takes(token: string): boolean {
    if (this.next !== token) return false;
    this.#at += 1;
    return true;
  }

  take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Invalid('Invalid expression: Syntax error; token: <EOF>');
    return token;
  }

  /** Consumes the next token, which must be this one. */
  expect(token: string): void {
    const found = this.take();
    if (found !== token) throw new Invalid(`Invalid expression: Syntax error; token: "${found}", expected: "${token}"`);
  }

  name(): string {
    const token = this.take();
    if (/^[#A-Za-z_]/.test(token) && !keywords.has(token)) return token;
    throw new Invalid(`Invalid expression: Syntax error; token: "${token}", where a name was expected`);
  }

  value(): string {
    const token = this.take();
    if (token.startsWith(':')) return token;
    throw new Unknown(`"${token}" where a value is expected`);
  }

  /** Parses one or more parts separated by commas. */
  list<Part>(part: () => Part): Part[] {
    const parts = [part()];
    while (this.takes(',')) parts.push(part());
    return parts;
  }

  end(): void {
    if (this.next !== undefined) throw new Invalid(`Invalid expression: Syntax error; token: "${this.next}"`);
  }
}
