import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { routes } from '#infra/routes.ts';
import { openApiDocument } from '#lib/wire/document/document.ts';
import { freePort } from '#infra/local/process/free-port.ts';

/*
 * Two tools that are no part of the project: Redocly lints the document, and Prism is a proxy between the tests in
 * test/contract and the functions, refusing every answer that the document does not allow. The tests send wrong requests
 * on purpose, so Prism judges answers only: `--validate-request false`, and the complete edition of the document, which asks
 * for no credentials.
 *
 *     tests ──HTTP──→ Prism ──→ relay ──→ adapter in the process of the test ──→ the function
 *
 * npm run judges [-- test/contract/track/sale.test.ts …]
 */

const LONGEST_START_MS = 120_000;
const ONE_TRY_MS = 200;

const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
const [published, judged, bypassed] = ['openapi.json', 'judged.json', 'bypassed.txt'].map((name) => join(folder, name));
await writeFile(published!, JSON.stringify(openApiDocument(routes)));
await writeFile(
  judged!,
  JSON.stringify(openApiDocument(routes, 'complete'), (key, value: unknown) =>
    key === 'security' ? undefined : value,
  ),
);
await writeFile(bypassed!, '');

let passed = 0;
/** Prism accepts one address, whereas each test file has a separate adapter. */
const relay = createServer((request, response) => {
  passed += 1;
  const { method, url, headers } = request;
  const onward = httpRequest({
    host: '127.0.0.1',
    port: Number(headers['x-test-port']),
    method,
    path: url,
    headers,
    agent: false,
  });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
await once(relay.listen(0, '127.0.0.1'), 'listening');

const ended = async (child: ChildProcess): Promise<number> => ((await once(child, 'exit')) as [number])[0];
const npx = (...command: readonly string[]) => ['--yes', ...command];

const lint = spawn('npx', npx('@redocly/cli@2.77.0', 'lint', published!), { stdio: 'inherit' });
const lintFailed = (await ended(lint)) !== 0;

const port = await freePort();
const upstream = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
const options = ['--errors', '--validate-request', 'false', '--cors', 'false', '--verboseLevel', 'error'];
const prism = spawn(
  'npx',
  npx('@stoplight/prism-cli@5.16.0', 'proxy', judged!, upstream, ...options, '-p', String(port)),
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A separate process group: npx starts Prism as a child, which must end too.
    detached: true,
  },
);
await listening();

const wanted = process.argv.slice(2);
const tests = spawn('vitest', ['run', '--reporter=dot', ...(wanted.length > 0 ? wanted : ['test/contract'])], {
  stdio: 'inherit',
  env: { ...process.env, PRISM_URL: `http://127.0.0.1:${port}`, PRISM_BYPASSED: bypassed },
});
const testsFailed = (await ended(tests)) !== 0;
process.kill(-prism.pid!);
relay.close();

const reasons = Map.groupBy((await readFile(bypassed!, 'utf8')).split('\n').filter(Boolean), (reason) => reason);
console.log(`${passed} requests through Prism`);
for (const [reason, each] of reasons) console.log(`${each.length} sent directly: ${reason}`);
await rm(folder, { recursive: true });
process.exitCode = lintFailed || testsFailed ? 1 : 0;

/** Waits until Prism listens, which it does not report. @throws Error when it does not start */
async function listening(): Promise<void> {
  for (const end = Date.now() + LONGEST_START_MS; ; await setTimeout(ONE_TRY_MS)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (prism.exitCode !== null || Date.now() > end) throw new Error('Prism does not start: see what it says above');
  }
}
