import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const ACCOUNT = '123456789012';

interface ParameterServer {
  /** Variables with which processes reach it as AWS. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the parameters that were read. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

/** What AWS answers about a parameter: its text, or the name of an error. */
export type Answer = { readonly value: string; readonly account?: string } | { readonly error: string };

/** AWS on this machine: it says whose credentials these are, and gives parameters of Systems Manager. */
export async function startParameterServer(answerTo: (name: string) => Answer): Promise<ParameterServer> {
  const asked: string[] = [];
  const respond = (body: string, response: ServerResponse): void => {
    if (body.includes('Action=GetCallerIdentity')) {
      const identity = `<Account>${ACCOUNT}</Account><UserId>u</UserId><Arn>arn:aws:iam::${ACCOUNT}:user/ops</Arn>`;
      response.setHeader('Content-Type', 'text/xml');
      response.end(
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
          `<GetCallerIdentityResult>${identity}</GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
      return;
    }
    const { Name: name } = JSON.parse(body);
    asked.push(name);
    const answer = answerTo(name);
    response.setHeader('Content-Type', 'application/x-amz-json-1.1');
    if ('error' in answer) {
      response.statusCode = 400;
      response.end(JSON.stringify({ __type: answer.error, message: 'no' }));
      return;
    }
    const ARN = `arn:aws:ssm:eu-west-1:${answer.account ?? ACCOUNT}:parameter${name}`;
    response.end(JSON.stringify({ Parameter: { Name: name, Value: answer.value, ARN } }));
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => respond(body, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'eu-west-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
