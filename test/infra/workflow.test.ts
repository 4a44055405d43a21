import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = '.github/workflows';

it.each(readdirSync(folder))('%s runs no foreign code that could change under its name', (file) => {
  const used = [...readFileSync(join(folder, file), 'utf8').matchAll(/^\s*(?:- )?uses: *(\S+)/gm)].map(
    ([, name]) => name,
  );
  expect(used.filter((name) => !/@[0-9a-f]{40}$/.test(name!))).toEqual([]);
});
