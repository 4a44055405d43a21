/** The parts of a request besides method and path. */
interface Said {
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape
  readonly json: any;
}

/** The service as seen from the network. */
export type Wire = (method: string, path: string, said?: Said) => Promise<Answer>;

const TIMEOUT_MS = 20_000;

export const wireTo =
  (baseUrl: string): Wire =>
  async (method, path, { body, key, headers } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
