import { describe, expect, it } from 'vitest';
import { runOperator } from '#lib/service/operations/operator/run-operator.ts';
import { operator, refusedWith } from '#test/support/callers/operator.ts';

// Errors in a command line are reported before the table is read: these commands have no table.

const usages = [
  'agent-key issue --workspace <id> --scopes a,b --name <n>',
  'agent-key revoke <id>',
  'agent-key list',
  'key mark-rotation --program <id> --deadline <ISO>',
  'key clear-rotation --program <id>',
  'key import-legacy --program <id> --key <value> (or --key-stdin)',
  'account suspend --email <e>',
  'account unsuspend --email <e>',
  'account close --email <e>',
  'mail list-suppressed',
  'mail unsuppress --email <e>',
  'partner list-addresses',
  'search list-words',
  'link unlink --short-link <s>',
  'customer unlink --click-id <c>',
  'customer erase --program <id> (--click-id <c> | --customer-key <k>)',
  'sale repair --transaction <id> | --all',
  'payouts freeze --workspace <id>',
  'payouts thaw --workspace <id>',
  'restore check --to <ISO> (--former-table <name> | --former-table-lost)',
  'metrics rebuild --program <id>',
  'metrics rebuild-all',
];
const usageOf = (command: string) => usages.find((usage) => command.startsWith(usage.split(' ', 2).join(' ')));
const told = (problem: string, meant: readonly (string | undefined)[]) =>
  [problem, 'Usage:', ...meant.map((usage) => `  npm run operator -- ${usage} [--stage <stage>]`)].join('\n');

describe('an unknown operator’s command causes an error with a list of the commands', () => {
  it.each([
    ['', 'Which command?'],
    ['issue agent-key', 'Unknown command: issue agent-key'],
    ['constructor prototype', 'Unknown command: constructor prototype'],
  ])('such as %j: %s', async (command, problem) => {
    expect(await refusedWith(undefined, command)).toBe(told(problem, usages));
  });

  it.each([
    ['agent-key', 'Unknown command: agent-key', 'agent-key '],
    ['agent-key delete 1', 'Unknown command: agent-key delete', 'agent-key '],
    ['metrics recount --program 1', 'Unknown command: metrics recount', 'metrics '],
  ])('which begin with the same word, such as %j: %s', async (command, problem, noun) => {
    const meant = usages.filter((usage) => usage.startsWith(noun));
    expect(await refusedWith(undefined, command)).toBe(told(problem, meant));
  });
});

describe('--help shows the usage of an operator’s commands and succeeds', () => {
  it.each([
    ['--help', usages],
    ['-h', usages],
    ['key --help', usages.filter((usage) => usage.startsWith('key '))],
    ['metrics rebuild --help', ['metrics rebuild --program <id>']],
    ['--help --stage prod sale repair --all', ['sale repair --transaction <id> | --all']],
  ])('such as in %j', async (command, meant) => {
    const text = told('', meant).trimStart();
    expect(await operator(undefined, command)).toEqual({ code: 0, out: [text], error: [] });
    const json = { code: 0, out: [JSON.stringify({ usage: text })], error: [] };
    expect(await operator(undefined, `${command} --json`)).toEqual(json);
  });
});

const issue = 'agent-key issue --workspace 1 --scopes program:list --name n';
const mark = 'key mark-rotation --program 1 --deadline 2026-12-01T00:00:00Z';
const scopesRule =
  '--scopes must be one or more of program:list, program:read, program:update, program:terms, separated by commas';
const keyRule = '--key must have 16 to 255 visible ASCII characters and none of the prefixes aff_, agt_, lgn_';
const timeRule = '--deadline must be an ISO 8601 time with offset such as 2026-12-01T00:00:00Z';
const textRule = 'must have 1 to 255 characters, none of them a control character';

describe('an operator’s command with wrong arguments causes an error with its usage', () => {
  it.each([
    // Missing arguments.
    ['metrics rebuild', 'Missing --program <id>'],
    ['agent-key issue', 'Missing --workspace <id>'],
    ['agent-key issue --workspace 1', 'Missing --scopes a,b'],
    ['agent-key issue --workspace 1 --scopes program:list', 'Missing --name <n>'],
    ['agent-key revoke', 'Missing <id>'],
    ['key mark-rotation', 'Missing --program <id>'],
    ['key mark-rotation --program 1', 'Missing --deadline <ISO>'],
    ['key clear-rotation', 'Missing --program <id>'],
    ['key import-legacy --program 1', 'Missing --key <value> (or --key-stdin)'],
    ['account suspend', 'Missing --email <e>'],
    ['account unsuspend', 'Missing --email <e>'],
    ['mail unsuppress', 'Missing --email <e>'],
    ['link unlink', 'Missing --short-link <s>'],
    ['customer unlink', 'Missing --click-id <c>'],
    ['customer erase --click-id c', 'Missing --program <id>'],
    ['customer erase --program 1', 'Give one of --click-id <c> | --customer-key <k>'],
    ['customer erase --program 1 --click-id c --customer-key k', 'Give one of --click-id <c> | --customer-key <k>'],
    ['sale repair', 'Give one of --transaction <id> | --all'],
    ['key clear-rotation --program', "Option '--program <value>' argument missing"],
    // Too many arguments.
    ['sale repair --transaction t --all', 'Give one of --transaction <id> | --all'],
    ['sale repair --all=yes', "Option '--all' does not take an argument"],
    ['agent-key list --workspace 1', "Unknown option '--workspace'"],
    [`${mark} --force`, "Unknown option '--force'"],
    [`${mark} -f`, "Unknown option '-f'"],
    ['agent-key list all', 'There is a word too many'],
    ['agent-key revoke 1 2', 'There is a word too many'],
    ['key import-legacy --program 1 a-key-without-its-flag', 'There is a word too many'],
    ['key clear-rotation --program 1 --program 2', '--program is given more than once'],
    ['sale repair --all --all', '--all is given more than once'],
    // Values that cannot be read.
    ...['0', '-1', '1.5', 'x', '9007199254740993'].map((id) => [
      `key clear-rotation --program=${id}`,
      '--program must be a positive integer',
    ]),
    ['agent-key revoke x', '<id> must be a positive integer'],
    [issue.replace('--workspace 1', '--workspace one'), '--workspace must be a positive integer'],
    ...['program:delete', 'program:list,program:delete', 'program:list,', 'Program:list', '*'].map((scopes) => [
      issue.replace('program:list', scopes),
      scopesRule,
    ]),
    ...['tomorrow', '2026-12-01', '2026-12-01T00:00:00', '2026-02-30T00:00:00Z'].map((time) => [
      mark.replace('2026-12-01T00:00:00Z', time),
      timeRule,
    ]),
    ...[
      'x'.repeat(15),
      'x'.repeat(256),
      `aff_${'x'.repeat(16)}`,
      `agt_${'x'.repeat(16)}`,
      `lgn_${'x'.repeat(16)}`,
      `é${'x'.repeat(16)}`,
      `\u007f${'x'.repeat(16)}`,
    ].map((key) => [`key import-legacy --program 1 --key ${key}`, keyRule]),
    ['account suspend --email nobody', '--email must be an e-mail address'],
    [`account unsuspend --email ${'x'.repeat(320)}@x`, '--email must be an e-mail address'],
    ['link unlink --short-link=', `--short-link ${textRule}`],
    ['customer unlink --click-id a\u0000b', `--click-id ${textRule}`],
    [`sale repair --transaction ${'x'.repeat(256)}`, `--transaction ${textRule}`],
  ] as [string, string][])('such as %s: %s', async (command, problem) => {
    expect(await refusedWith(undefined, command)).toBe(told(problem, [usageOf(command)]));
  });

  it.each([
    ['of spaces', '  '],
    ['of 121 characters', 'n'.repeat(121)],
  ])('such as `agent-key issue` with a name %s', async (_, name) => {
    const words = ['agent-key', 'issue', '--workspace', '1', '--scopes', 'program:list', '--name', name];
    expect(await refusedWith(undefined, words)).toBe(
      told('--name must have 1 to 120 characters, none of them a control character', [usages[0]]),
    );
  });

  it('such as `key import-legacy` with a key of two words, which the error does not contain', async () => {
    const words = ['key', 'import-legacy', '--program', '1', '--key', 'two words of a secret'];
    expect(await refusedWith(undefined, words)).toBe(told(keyRule, [usages[5]]));
  });

  it('such as a value that looks like a flag', async () => {
    const [problem, ...more] = (await refusedWith(undefined, 'key import-legacy --program 1 --key -begins')).split(
      '\n',
    );
    expect(problem).toBe("Option '--key' argument is ambiguous.");
    expect(more).toContain("To specify an option argument starting with a dash use '--key=-XYZ'.");
  });
});

it('the flag --json is accepted at any position of an operator’s command', async () => {
  for (const command of ['--json agent-key revoke', 'agent-key --json revoke', 'agent-key revoke --json']) {
    const { code, out, error } = await operator(undefined, command);
    expect({ code, out, error }).toEqual({
      code: 1,
      out: [JSON.stringify({ error: told('Missing <id>', ['agent-key revoke <id>']) })],
      error: [],
    });
  }
});

describe('the table on which the operator’s commands work', () => {
  it('must be named by --stage or TABLE_NAME', async () => {
    expect(await refusedWith(undefined, 'agent-key list')).toBe(
      'Which table? Name the stage with --stage <stage>, or the table in TABLE_NAME.',
    );
  });

  it('must exist, or the command fails', async () => {
    const message = await refusedWith({ tableName: 'no-such-table' }, 'agent-key list');
    expect(message).toMatch(/non-existent table|not found/i);
    expect(message).toContain('the table no-such-table, or one that the command names');
  });

  it.each(['127.0.0.1', 'localhost'])('must be reachable at %s', async (host) => {
    const nowhere = { TABLE_NAME: 'service', DYNAMODB_ENDPOINT: `http://${host}:1` };
    const { code, error } = await operator(undefined, 'agent-key list', undefined, nowhere);
    expect([code, error]).toEqual([1, [expect.stringContaining('ECONNREFUSED')]]);
  });
});

/** Runs a command where no stage is deployed. */
async function runWith(command: string) {
  const stages: string[] = [];
  const error: string[] = [];
  const code = await runOperator(command.split(' '), {
    environment: { TABLE_NAME: 'of-a-local-run' },
    environmentOf: async (stage) => {
      stages.push(stage);
      throw new Error(`The stage ${stage} is not deployed`);
    },
    out: () => undefined,
    error: (line) => void error.push(line),
  });
  return { code, stages, error: error.join() };
}

describe('the flag --stage of an operator’s command', () => {
  it.each(['agent-key list --stage prod', '--stage prod agent-key list', 'agent-key list --stage=prod'])(
    'determines the table: %s',
    async (command) => {
      expect(await runWith(command)).toEqual({ code: 1, stages: ['prod'], error: 'The stage prod is not deployed' });
    },
  );

  it.each([
    ['agent-key list --stage', '--stage must name a stage, such as --stage prod'],
    ['agent-key list --stage=', '--stage must name a stage, such as --stage prod'],
    ['agent-key list --stage --json', '--stage must name a stage, such as --stage prod'],
    ['agent-key list --stage dev --stage prod', '--stage is given more than once'],
  ])('is refused in %s: %s', async (command, problem) => {
    const { code, stages } = await runWith(command);
    expect([code, stages]).toEqual([1, []]);
    expect(await refusedWith(undefined, command.replace(' --json', ''))).toBe(problem);
  });

  it('is ignored if the command is unknown', async () => {
    expect(await runWith('agent-key lost --stage prod')).toMatchObject({ code: 1, stages: [] });
  });
});
