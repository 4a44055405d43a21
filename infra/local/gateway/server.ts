import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getBuiltinModule } from 'node:process';
import { answer, type Service } from '#infra/local/gateway/answer.ts';

export interface Server {
  readonly port: number;
  /** Begins to answer requests. Requests that arrived before have been waiting. */
  readonly serve: (service: Service) => void;
  /** Refuses further requests, and waits until those in progress are answered. */
  readonly stop: () => Promise<void>;
}

/** An ordinary import would load all parts of the module, which takes a tenth of the start-up time. */
const { createServer } = getBuiltinModule('node:http');

const LONGEST_STOP_MS = 10_000;

/**
 * Opens a port of this machine. It is opened before the service starts, because the service needs to know its own
 * address.
 * @param port 0 for any free port
 * @throws Error with a message for the terminal, if the port cannot be used
 */
export async function listen(port: number): Promise<Server> {
  const service = Promise.withResolvers<Service>();
  const server = createServer((request, response) => {
    service.promise
      .then(async (ready) => ({ ...(await answer(ready, request)), date: new Date(ready.now()) }))
      .then(({ status, headers, body, date }) => {
        response.setHeader('date', date.toUTCString());
        // While the server is stopping, this request is still answered, but the connection is closed afterwards.
        if (!server.listening) response.setHeader('connection', 'close');
        response.statusCode = status;
        response.setHeaders(new Map(Object.entries(headers))).end(body);
      })
      // The reply cannot be sent: the client has disconnected, or a function has set a header that HTTP does not allow.
      .catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const problem = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code})`;
    throw new Error(`Port ${port} ${problem}. PORT=<number> chooses another one, PORT=0 any free one.`, { cause });
  });

  async function stop(): Promise<void> {
    const closed = Promise.withResolvers<unknown>();
    server.close(closed.resolve);
    setTimeout(() => server.closeAllConnections(), LONGEST_STOP_MS).unref();
    await closed.promise;
  }
  return { port: (server.address() as AddressInfo).port, serve: service.resolve, stop };
}
