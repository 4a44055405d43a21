import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient, DynamoDBDocumentClientCommand, type TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { marshalled, unmarshalled } from '#test/support/memory-table/marshalling.ts';
import { answer } from '#test/support/memory-table/operations.ts';

/**
 * The value of DYNAMODB_ENDPOINT if tables are in memory. This host name never resolves, so no real server can answer.
 */
export const MEMORY_ENDPOINT = 'http://table-in-memory.invalid';

type Input = Readonly<Record<string, unknown>>;

interface Command {
  readonly input: Input;
}

interface Client {
  readonly config: object & {
    readonly endpoint?: () => Promise<{ readonly hostname: string }>;
    readonly translateConfig?: TranslateConfig;
  };
}

interface Options {
  readonly abortSignal?: AbortSignal;
}

type Send = (this: Client, command: Command, options?: Options) => Promise<unknown>;

/** The real function, stored before tests replace the timers. */
const { setImmediate: soon } = globalThis;

/** Lets calls of all clients with MEMORY_ENDPOINT be answered from memory. Other clients work as usual. */
export function answerFromMemory(): void {
  for (const { prototype } of [DynamoDBDocumentClient, DynamoDBClient, DynamoDBStreamsClient]) {
    const inherited = Reflect.get(Reflect.getPrototypeOf(prototype)!, 'send') as Send;

    async function send(this: Client, command: Command, options: Options = {}): Promise<unknown> {
      return (await isInMemory(this)) ? sent(this, command, options) : inherited.call(this, command, options);
    }
    Object.assign(prototype, { send });
  }
}

const known = new WeakMap<object, boolean>();

async function isInMemory({ config }: Client): Promise<boolean> {
  let found = known.get(config);
  if (found === undefined) {
    found = (await config.endpoint?.())?.hostname === new URL(MEMORY_ENDPOINT).hostname;
    known.set(config, found);
  }
  return found;
}

/**
 * Executes a call. It takes effect a little later, as over a network, so that the calls of several requests interleave.
 */
async function sent({ config }: Client, command: Command, { abortSignal }: Options): Promise<unknown> {
  expectGoing(abortSignal);
  const { constructor, input } = command;
  const operation = operationOf(constructor.name);
  // Commands of the document client contain JavaScript values, which are converted; commands of the plain client are
  // not.
  const translation = command instanceof DynamoDBDocumentClientCommand ? (config.translateConfig ?? {}) : undefined;
  const request = translation ? marshalled(operation, input, translation) : input;
  await new Promise<void>((resolve) => void soon(resolve));
  expectGoing(abortSignal);
  const output = answer(operation, request);
  const reply = translation ? unmarshalled(operation, output, translation) : output;
  return { $metadata: { httpStatusCode: 200, requestId: 'in-memory', attempts: 1, totalRetryDelay: 0 }, ...reply };
}

function expectGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

/** The names of the document client's commands, which are shorter than those of the operations. */
const shortNames: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  BatchGet: 'BatchGetItem',
  BatchWrite: 'BatchWriteItem',
  TransactWrite: 'TransactWriteItems',
};

function operationOf(commandName: string): string {
  const name = commandName.replace(/Command$/, '');
  return shortNames[name] ?? name;
}
