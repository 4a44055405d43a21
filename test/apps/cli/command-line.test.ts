import { describe, expect, it } from 'vitest';
import { readCommandLine } from '#lib/apps/cli/commands/command-line.ts';

const read = (line: string) => readCommandLine(line.split(' ').filter(Boolean));

describe('the command-line arguments of affitor', () => {
  it.each([
    ['', { command: undefined, event: undefined, flags: {} }],
    ['login', { command: 'login', event: undefined, flags: {} }],
    ['--json programs', { command: 'programs', event: undefined, flags: { json: true } }],
    ['test chain --api-key=aff_1', { command: 'test', event: 'chain', flags: { 'api-key': 'aff_1' } }],
    ['test', { command: 'test', event: undefined, flags: {} }],
    [
      'status --no-interactive --auto-confirm --quiet --verbose --api-url http://a --version --help',
      {
        command: 'status',
        event: undefined,
        flags: {
          'no-interactive': true,
          'auto-confirm': true,
          quiet: true,
          verbose: true,
          'api-url': 'http://a',
          version: true,
          help: true,
        },
      },
    ],
    [
      'init --name a --domain b --commission-type c --commission-rate 1 --duration-months 2 --attribution-window 3',
      {
        command: 'init',
        event: undefined,
        flags: {
          name: 'a',
          domain: 'b',
          'commission-type': 'c',
          'commission-rate': '1',
          'duration-months': '2',
          'attribution-window': '3',
        },
      },
    ],
    [
      'listen --forward a --events b,c --program 1',
      { command: 'listen', event: undefined, flags: { forward: 'a', events: 'b,c', program: '1' } },
    ],
  ])('are read correctly: %j', (line, expected) => {
    const { flags, ...words } = read(line);
    expect({ ...words, flags: { ...flags } }).toEqual(expected);
  });

  it.each([
    ['frobnicate', 'Unknown command: frobnicate'],
    ['aff_1_aKeyThatLostItsFlag', 'Unknown command'],
    ['programs aff_1_aKeyThatLostItsFlag', 'There is a word too many'],
    ['test click lead', 'There is a word too many'],
    ['status --name x', '--name belongs to init'],
    ['init --forward x', '--forward belongs to listen'],
    ['listen --name x', '--name belongs to init'],
    ['status --colour', "Unknown option '--colour'"],
    ['status --api-key', "Option '--api-key <value>' argument missing"],
    ['status --json=yes', "Option '--json' does not take an argument"],
  ])('%j are refused: %s', (line, message) => {
    expect(() => read(line)).toThrow(expect.objectContaining({ message }));
  });
});
