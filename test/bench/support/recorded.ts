import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type SentCall, waves } from '#test/support/servers/sent-calls.ts';

/** The recorded calls of one request, to be sent again for other customers. */
export interface Recorded {
  /** Calls of the same wave ran in parallel. */
  readonly waves: readonly (readonly { readonly name: string; readonly input: string }[])[];
  /** Values in the calls that come from the request, by field. */
  readonly sent: Readonly<Record<string, string>>;
  /** Values in the calls that are new for each request: ids created by the service. */
  readonly made: readonly string[];
}

/** Event ids are so large in the bench that they cannot be confused with other numbers. */
export const FIRST_ID = 9_000_000_000;
export const anyId = /\b9\d{9}\b/g;

/** @param sent the values in the request that belong to one customer @param clickIds the ids created by the request */
export function recorded(
  calls: readonly SentCall[],
  sent: Recorded['sent'],
  clickIds: readonly string[] = [],
): Recorded {
  const texts = waves(calls).map((wave) => wave.map(({ name, input }) => ({ name, input: asTheServiceSentIt(input) })));
  const ids = new Set(texts.flat().flatMap(({ input }) => input.match(anyId) ?? []));
  return { waves: texts, sent, made: [...ids, ...clickIds] };
}

/** Removes the request for consumed capacity, which only the recorder adds. */
const asTheServiceSentIt = (input: SentCall['input']): string =>
  JSON.stringify({ ...input, ReturnConsumedCapacity: undefined });

const commands: Readonly<Record<string, new (input: never) => object>> = {
  BatchGetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
};

/** The body of a request. */
export type Body = Readonly<Record<string, unknown>>;

/** The last created id. No two handlers create the same id. */
let lastId = FIRST_ID + 100_000_000;
const freshId = (like: string): string => like.replace(/\w{10}$/, () => String(++lastId));

/**
 * A handler without any of our code: it sends the recorded calls with other ids and decides nothing. A real request's
 * additional time is the cost of our code.
 */
export function bareHandler(client: DynamoDBDocumentClient, { waves: all, sent, made }: Recorded) {
  const fields = new Map(Object.entries(sent).map(([field, text]) => [text, field]));
  const changing = new RegExp([...fields.keys(), ...made].map((text) => RegExp.escape(text)).join('|'), 'g');
  return async (body: Body): Promise<void> => {
    const fresh = new Map<string, string>();
    const replaced = (text: string): string => {
      const field = fields.get(text);
      if (field !== undefined) return String(body[field]);
      if (!fresh.has(text)) fresh.set(text, freshId(text));
      return fresh.get(text)!;
    };
    for (const wave of all) {
      const calls = wave.map(({ name, input }) => {
        const command = new commands[name]!(JSON.parse(input.replaceAll(changing, replaced)) as never);
        return client.send(command as Parameters<typeof client.send>[0]);
      });
      await Promise.all(calls);
    }
  };
}
