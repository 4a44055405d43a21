import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stages } from '#infra/aws/stages.ts';

const folder = '.github/workflows';

it.each(readdirSync(folder))(
  'the CI workflow %s uses third-party actions only in versions pinned by commit',
  (file) => {
    const used = [...readFileSync(join(folder, file), 'utf8').matchAll(/^\s*(?:- )?uses: *(\S+)/gm)].map(
      ([, name]) => name,
    );
    expect(used.filter((name) => !/@[0-9a-f]{40}$/.test(name!))).toEqual([]);
  },
);

it('the CI workflow runs every part of .ci/run, each on a separate machine', () => {
  const [, parts] = /^all=\(([a-z ]+)\)$/m.exec(readFileSync('.ci/run', 'utf8'))!;
  const [, matrix] = /^ {8}part: \[([a-z, ]+)\]$/m.exec(readFileSync(join(folder, 'check.yml'), 'utf8'))!;
  expect(matrix!.split(', ')).toEqual(parts!.split(' '));
  expect(readFileSync(join(folder, 'check.yml'), 'utf8')).toContain('- run: .ci/run ${{ matrix.part }}\n');
});

it('.ci/templates names the templates of all stages', () => {
  const named = readFileSync('.ci/templates', 'utf8').match(
    new RegExp(`(?<!/)(?:${Object.keys(stages).join('|')})`, 'gi'),
  );
  expect(named?.toSorted()).toEqual(Object.keys(stages).toSorted());
});
