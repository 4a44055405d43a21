import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type SentCall, waves } from '#test/support/servers/sent-calls.ts';

/** The table calls that one request made. They can be sent again with the values of other customers. */
export interface Recorded {
  /** The calls in groups. Calls of one group ran in parallel. */
  readonly waves: readonly (readonly { readonly name: string; readonly input: string }[])[];
  /** Values that the calls took from the request, by field of the request. */
  readonly sent: Readonly<Record<string, string>>;
  /** Values in the calls that differ for each request: ids that the service created. */
  readonly made: readonly string[];
}

/** In the bench, ids of events begin at this number, so that they can be recognised in the text of a call. */
export const FIRST_ID = 9_000_000_000;
export const anyId = /\b9\d{9}\b/g;

/**
 * Prepares recorded calls so that they can be sent again.
 * @param sent values from the request that belong to one customer
 * @param clickIds the click ids that the request created
 */
export function recorded(
  calls: readonly SentCall[],
  sent: Recorded['sent'],
  clickIds: readonly string[] = [],
): Recorded {
  const texts = waves(calls).map((wave) => wave.map(({ name, input }) => ({ name, input: asTheServiceSentIt(input) })));
  const ids = new Set(texts.flat().flatMap(({ input }) => input.match(anyId) ?? []));
  return { waves: texts, sent, made: [...ids, ...clickIds] };
}

/** Removes the request for the consumed capacity, which the recorder has added to the call. */
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

/** The id that was created last. All handlers share this sequence, so no two of them create the same id. */
let lastId = FIRST_ID + 100_000_000;
const freshId = (like: string): string => like.replace(/\w{10}$/, () => String(++lastId));

/**
 * Returns a handler that sends the recorded calls with new ids, and does nothing else. The time that a real request
 * needs in addition is the cost of our code.
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
