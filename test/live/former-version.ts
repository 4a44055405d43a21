import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Scope } from '#test/live/scope.ts';

/**
 * Checks out a commit, with its packages, into a separate folder. The folder is deleted when the scope ends.
 * @returns the folder, for `startService`
 */
export async function formerVersion({ folder, atEnd }: Scope, commit: string): Promise<string> {
  const root = join(folder, `version-${commit}`);
  run('git', ['worktree', 'add', '--quiet', '--detach', root, commit]);
  atEnd(() => run('git', ['worktree', 'remove', '--force', root]));
  if (lockOf(root) === lockOf('.')) await symlink(resolve('node_modules'), join(root, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund'], root);
  return root;
}

const run = (program: string, words: readonly string[], cwd = '.') =>
  execFileSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
