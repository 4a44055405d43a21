import { describe, expect, it } from 'vitest';
import { columns } from '#lib/apps/cli/commands/columns.ts';
import { commissionText } from '#lib/apps/cli/commands/commission-text.ts';
import { variablesIn } from '#lib/apps/cli/project/env-file.ts';
import { withIgnoredFiles } from '#lib/apps/cli/project/ignore-list.ts';
import { isSafeAddress } from '#lib/apps/cli/login/safe-address.ts';

describe('the program key that is read from a project’s .env file', () => {
  it.each([
    ['KEY=value', 'value'],
    ['KEY = value ', 'value'],
    ['export KEY=value\r\n', 'value'],
    ['KEY="value"', 'value'],
    ["KEY='va lue' # said so", 'va lue'],
    ['KEY=value # said so', 'value'],
    ['KEY=va#lue', 'va#lue'],
    ['KEY=', ''],
    ['KEY=# nothing yet', ''],
    ['KEY=old\nKEY=new', 'new'],
    ['# KEY=value', undefined],
    ['OTHER_KEY=value', undefined],
    ['KEY', undefined],
  ])('is, for the text %j, %j', (text, value) => {
    expect(variablesIn(text).get('KEY')).toBe(value);
  });
});

describe('the ignore file of a project, such as .gitignore,', () => {
  const entries = '.service/.env\n.service/.env.*\n!.service/.env.example\n';

  it.each([
    [undefined, entries],
    ['', entries],
    ['dist\n', `dist\n${entries}`],
    ['dist', `dist\n${entries}`],
    ['dist\r\n', `dist\r\n${entries.replaceAll('\n', '\r\n')}`],
    [entries, entries],
    ['  .service/.env  \ndist\n', '  .service/.env  \ndist\n.service/.env.*\n!.service/.env.example\n'],
  ])('with the text %j becomes %j', (before, after) => {
    expect(withIgnoredFiles(before)).toBe(after);
    expect(withIgnoredFiles(after)).toBe(after);
  });
});

describe('a URL that the command line is asked to open', () => {
  it.each([
    'https://dashboard.test/cli/login?state=a',
    'http://127.0.0.1:8787/',
    'http://127.8.8.8/',
    'http://localhost:8787/',
    'http://[::1]:8787/',
  ])('is opened if it is %s', (url) => {
    expect(isSafeAddress(url)).toBe(true);
  });

  it.each([
    'http://dashboard.test/',
    'http://127.0.0.1.evil.test/',
    'http://localhost.evil.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '--help',
  ])('is not opened if it is %s', (url) => {
    expect(isSafeAddress(url)).toBe(false);
  });
});

describe('the text that describes a commission in the command line', () => {
  it.each([
    ['percent', 20, null, '20% of each sale, renewals excluded'],
    ['fixed', 50, 0, '50 (in units of the currency) per sale, renewals excluded'],
    ['recurring_percent', 12.5, 12, '12.5% of each sale, renewals for 12 months'],
    ['recurring_fixed', 5, null, '5 (in units of the currency) per sale, renewals included'],
  ])(
    'for the type %s, the rate %d and the number of months %j is “%s”',
    (commission_type, commission_rate, duration_months, text) => {
      expect(commissionText({ commission_type, commission_rate, duration_months })).toBe(text);
    },
  );
});

describe('tables that the command line prints', () => {
  it('have aligned columns', () => {
    const rows = [
      ['ID', 'NAME', 'KEY'],
      ['10', 'Acme', ''],
    ];
    expect(columns(rows)).toBe('ID  NAME  KEY\n10  Acme');
  });
});
