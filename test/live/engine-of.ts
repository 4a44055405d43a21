import { readdir, readFile } from 'node:fs/promises';
import { violated } from '#test/live/hold.ts';

/** Finds the process of a local run's embedded engine. It is a grandchild of the run: a shell is between them. */
export async function enginePidOf(runPid: number): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = new Map((await Promise.all(ids.map(processOf))).flatMap((found) => (found ? [found] : [])));
  for (const [pid, { name, parent }] of processes) {
    if (name === 'dynoxide' && processes.get(parent)?.parent === runPid) return pid;
  }
  return violated(`The local run ${runPid} has no engine`);
}

/**
 * Reads a process's entry in /proc, whose format is `<pid> (<name>) <state> <parent> …`. It is gone if the process has
 * ended.
 */
async function processOf(pid: string): Promise<[number, { name: string; parent: number }] | undefined> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/.exec(told) ?? [];
  return parent === undefined ? undefined : [Number(pid), { name, parent: Number(parent) }];
}
