import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { instead } from '#plain-words.ts';

const documents = globSync(['*.md', '{bin,functions,infra,lib,test}/**/*.md']).toSorted();

it('the checks below include a document for every kind of reader', () => {
  expect(documents).toEqual(
    expect.arrayContaining([
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'README.md',
      'infra/README.md',
      'infra/runbook/README.md',
      'lib/apps/cli/README.md',
      'lib/apps/client/README.md',
      'lib/apps/dashboard/README.md',
      'lib/apps/portal/README.md',
      'lib/apps/tracker/README.md',
      'test/README.md',
      'test/bench/README.md',
    ]),
  );
});

/** A reader of a document finds the answer on one page; a room that needs more is divided into rooms. */
const MOST_BYTES = { document: 10 * 1024, room: 6 * 1024 };

describe.each(documents)('the document %s', (document) => {
  const text = readFileSync(document, 'utf8');
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '');

  it('is not larger than the limit for its kind', () => {
    const most = document.startsWith('lib/service/') ? MOST_BYTES.room : MOST_BYTES.document;
    expect(statSync(document).size).toBeLessThanOrEqual(most);
  });

  it('uses none of the words in plain-words.ts', () => {
    const sentences = prose.replaceAll(/`[^`\n]*`/g, '');
    expect(instead.flatMap(([word, better]) => (sentences.match(word) ?? []).map((found) => [found, better]))).toEqual(
      [],
    );
  });

  it('links to existing files and headings', () => {
    const links = [...prose.matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, path = '', heading]) => {
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(readFileSync(target, 'utf8')).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names existing paths of the repository', () => {
    // Paths from the repository's root, such as `lib/wire`. Templates such as `functions/<path>.ts` do not match.
    const paths = [...prose.matchAll(/`((?:bin|functions|infra|lib|test|[.]ci|[.]github)\/[\w./-]*)`/g)];
    expect(paths.map(([, path]) => path!).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names existing scripts of package.json', () => {
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!);
    expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });
});

/** The anchors that GitHub makes of headings. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
