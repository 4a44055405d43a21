import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { env, execPath, exit } from 'node:process';
import { parseArgs } from 'node:util';
import { routes } from '#infra/routes.ts';
import { openApiDocument, openApiExamples } from '#lib/wire/document/document.ts';
import { newBrand } from '#test/live/brand.ts';
import { hold } from '#test/live/hold.ts';
import { runInScope } from '#test/live/scope.ts';
import { type Service, startService } from '#test/live/service.ts';
import { judgedDocument } from '#test/fuzz/judged-document.ts';
import { judgement, type Statuses } from '#test/fuzz/statuses.ts';

/* Runs Schemathesis against a local run. Schemathesis sends requests that the OpenAPI document allows, and many that it
   does not allow. The run fails after any 5xx, after any reply that the complete edition of the document does not
   allow, and if requests mostly met limits and missing items.  npm run fuzz [-- --seconds 90 --seed 1] */

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '1200' }, seed: { type: 'string' } },
});
const seed = values.seed ?? String(Date.now() % 1_000_000);

const python = spawnSync(resolve('.ci', 'python'), ['fuzz'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (python.status !== 0) {
  console.error('⚠ The interface was NOT fuzzed: Schemathesis needs Python, as said above.');
  exit(75);
}

/** Minutes in addition to the time limit of Schemathesis, for a request in progress and for the report. */
const MORE_MINUTES = 5;

await runInScope(
  'fuzz',
  async (scope) => {
    console.log(`Fuzzing for ${values.seconds} s; --seed ${seed} makes the same choices again.`);
    const examples = openApiExamples(routes);
    const service = await startService(scope, { variables: { DATA_DIR: join(scope.folder, 'data') } });
    const [documentFile, statusesFile] = ['openapi.json', 'statuses.json'].map((name) => join(scope.folder, name));
    await writeFile(documentFile!, JSON.stringify(judgedDocument(openApiDocument(routes, 'complete'), examples)));
    const child = spawn(
      join(python.stdout.trim(), 'schemathesis'),
      ['--config-file', resolve('test/fuzz/schemathesis.toml'), 'run', documentFile!, '--url', service.url].concat([
        '--max-time',
        values.seconds,
        '--seed',
        seed,
      ]),
      {
        // Schemathesis stores data that it has seen in this folder.
        cwd: scope.folder,
        stdio: 'inherit',
        env: {
          ...env,
          ...(await agentOf(service)),
          PYTHONPATH: resolve('test/fuzz'),
          PYTHONDONTWRITEBYTECODE: '1',
          SCHEMATHESIS_HOOKS: 'hooks',
          FUZZ_BASE_URL: service.url,
          FUZZ_STATUSES: statusesFile!,
        },
      },
    );
    scope.atEnd(() => child.kill());
    const [status] = (await once(child, 'exit')) as [number | null];
    const statuses = JSON.parse(await readFile(statusesFile!, 'utf8')) as Statuses;
    const { table, problems } = judgement(statuses);
    console.log(table);
    const unmet = Object.keys(examples).filter((id) => !(id in statuses));
    if (unmet.length > 0) console.log(`⚠ In this time these were not reached: ${unmet.join(', ')}`);
    hold(problems.length === 0, problems.join('\n'));
    hold(status === 0, 'Schemathesis found what is shown above');
  },
  (what) => console.error(`✖ ${what}`),
  Number(values.seconds) / 60 + MORE_MINUTES,
);

/** Creates the agent key of a tool, by the operator's command. @returns the key and its program */
async function agentOf({ call, table }: Service): Promise<Record<string, string>> {
  const { workspaceId, programId } = await newBrand(call, 'agent');
  const scopes = 'program:list,program:read,program:update,program:terms';
  const { stdout, stderr } = spawnSync(
    execPath,
    [
      'bin/operator.ts',
      'agent-key',
      'issue',
      '--workspace',
      String(workspaceId),
      '--scopes',
      scopes,
      '--name',
      'Fuzz',
      '--json',
    ],
    { encoding: 'utf8', env: { ...env, TABLE_NAME: table.tableName, DYNAMODB_ENDPOINT: table.endpoint } },
  );
  hold(stdout.startsWith('{'), stderr);
  const { key } = JSON.parse(stdout) as { key: string };
  return { FUZZ_AGENT_KEY: key, FUZZ_AGENT_PROGRAM: String(programId) };
}
