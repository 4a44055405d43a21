import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { engineClient } from '#infra/local/database/engine-client.ts';
import { hold } from '#test/live/hold.ts';
import { bareHandler, type Body, type Recorded } from '#test/bench/support/recorded.ts';

/** A table call as it is sent over HTTP. */
interface WireCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Measures the engine without our handler and without the SDK: the calls are prepared as bytes, and replies are not
 * parsed.
 * @returns a function that prepares requests and returns a function that sends the next of them
 */
export function engineAlone(endpoint: string, recorded: Recorded) {
  const made: WireCall[] = [];
  const answer = bareHandler(noting(engineClient(endpoint, 'us-east-1'), made), recorded);
  const agent = new Agent({ keepAlive: true });

  async function send({ headers, body }: WireCall): Promise<void> {
    const sent = request(endpoint, { agent, method: 'POST', headers });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    hold(response.statusCode === 200, `The engine answered ${response.statusCode}`);
  }

  return async (bodies: readonly Body[]) => {
    const requests: WireCall[][] = [];
    for (const body of bodies) {
      await answer(body);
      requests.push(made.splice(0));
    }
    return async (): Promise<void> => {
      const calls = requests.pop()!;
      for (const wave of recorded.waves) {
        await Promise.all(calls.splice(0, wave.length).map(send));
      }
    };
  };
}

/** Makes a client record each call instead of sending it, and treat the call as successful. */
function noting(client: DynamoDBDocumentClient, calls: WireCall[]): DynamoDBDocumentClient {
  client.middlewareStack.add(
    () => async (sent) => {
      calls.push(sent.request as WireCall);
      return { output: { $metadata: {} }, response: {} };
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return client;
}
