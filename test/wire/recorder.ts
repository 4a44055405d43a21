import type { Examples } from '#lib/wire/document/examples.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { functionRoutes } from '#infra/local/gateway/function-routes.ts';
import { matchRoute } from '#infra/local/gateway/served-route.ts';
import { handlerOf, loadedFunction } from '#test/support/servers/functions.ts';
import { NOW, send, type TestReply, type TestRequest } from '#test/support/callers/request.ts';

export type AskOptions = Pick<TestRequest, 'key' | 'body' | 'headers' | 'at' | 'isBase64Encoded'>;

/** Sends a request. @param summary the subject of its reply @param request such as `GET /api/v1/cli/status` */
export interface Recorder {
  readonly ask: (summary: string, request: string, options?: AskOptions) => Promise<TestReply>;
}

/** The identity provider. */
export interface Issuer {
  readonly idToken: (person: {
    readonly sub: string;
    readonly email: string;
    readonly name?: string;
  }) => Promise<string>;
}

/** The key of a reply in the recorded examples. */
export const exampleName = (summary: string): string => summary.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Sends requests in sequence, a second apart, and records requests and replies. */
export async function openRecorder() {
  const { routes } = functionRoutes(loadedFunction);
  const recorded: Record<string, RecordedOperation> = {};
  let seconds = 0;

  async function ask(summary: string, request: string, options: AskOptions = {}): Promise<TestReply> {
    const [method = '', url = ''] = request.split(' ');
    const { pathname, searchParams } = new URL(url, 'https://track.test');
    const found = matchRoute(routes, method, pathname);
    if (!found) throw new Error(`No route for ${request}`);
    seconds += 1;
    const reply = await send(await handlerOf(found.route), {
      method,
      path: pathname,
      pathParameters: found.pathParameters,
      ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
      // Lists show the sign-in address, which must not depend on other tests.
      ip: `10.0.0.${seconds % 256}`,
      at: new Date(NOW.getTime() + seconds * 1_000),
      ...options,
    });
    const { id } = operations[found.route.function!]!;
    const body = options.isBase64Encoded ? undefined : options.body;
    remember(typeof id === 'string' ? id : id(method, found.route.path), summary, body, reply);
    return reply;
  }

  function remember(operationId: string, summary: string, body: unknown, reply: TestReply): void {
    const operation = (recorded[operationId] ??= { replies: {} });
    const name = exampleName(summary);
    if (body !== undefined && reply.status < 300) {
      operation.request = { ...operation.request, [name]: { summary, value: asJson(body) } };
    }
    if (reply.body === undefined) return;
    const replies = (operation.replies[reply.status] ??= {});
    replies[name] = { summary, value: reply.body };
  }

  return {
    ask,
    /** All records by operation; random values are replaced by placeholders. */
    examples: (): Record<string, Examples> =>
      JSON.parse(withStandIns(JSON.stringify(recorded))) as Record<string, Examples>,
  };
}

type Named = Record<string, { readonly summary: string; readonly value: unknown }>;

interface RecordedOperation {
  request?: Named;
  readonly replies: Record<string, Named>;
}

/** Parses a body, because signed content was sent as text. */
const asJson = (body: unknown): unknown => (typeof body === 'string' ? JSON.parse(body) : body);

/** Each kind of random value, as a prefix to keep and the number of characters that follow. */
const randomParts = [
  /(?<prefix>clk_(?:test_)?)(?<random>[0-9a-z]{26})/g,
  /(?<prefix>aud_)(?<random>[0-9a-z]{16})/g,
  /(?<prefix>cus_)(?<random>[\w-]{22})/g,
  /(?<prefix>lgn_|agt_)(?<random>\w{40})/g,
  /(?<prefix>aff_[0-9a-z]+_)(?<random>\w{32})/g,
  /(?<prefix>(?:aff_)?\*{4})(?<random>\w{4})/g,
  /(?<prefix>aff_test_ck_\d+_\d+_)(?<random>[0-9a-z]{6})/g,
  /(?<prefix>state=|"state":")(?<random>[\w-]{43})/g,
  /(?<prefix>whsec_)(?<random>[\w+/]{43}=)/g,
  /(?<prefix>(?:evt|dlv)_[0-9a-z]{9})(?<random>[0-9a-f]{24})/g,
  /(?<prefix>"id":")(?<random>[0-9a-f]{32})/g,
  /(?<prefix>"hash":")(?<random>[0-9a-f]{64})/g,
  /(?<prefix>)(?<random>eyJ[\w-]+\.[\w-]+\.[\w-]+)/g,
  /(?<prefix>"code":")(?<random>[A-Z2-9]{4}-[A-Z2-9]{4})/g,
];

/**
 * Replaces each random value by its number, padded with zeros, the same everywhere; tokens and codes keep their format.
 */
function withStandIns(text: string): string {
  const numbers = new Map<string, number>();
  const numberOf = (random: string) => {
    if (!numbers.has(random)) numbers.set(random, numbers.size + 1);
    return String(numbers.get(random));
  };
  const standIn = (...match: unknown[]): string => {
    const { prefix = '', random = '' } = match.at(-1) as Record<string, string>;
    if (random.startsWith('eyJ')) return 'header.claims.signature';
    if (prefix === '"code":"') return `${prefix}ABCD-EFGH`;
    return prefix + numberOf(random).padStart(random.length, '0');
  };
  return randomParts.reduce((replaced, pattern) => replaced.replaceAll(pattern, standIn), text);
}
