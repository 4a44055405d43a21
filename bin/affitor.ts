#!/usr/bin/env node
import manifest from '#package.json' with { type: 'json' };
import { runCli } from '#lib/apps/cli/commands/run-cli.ts';
import { thisMachine } from '#lib/apps/cli/machine/this-machine.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

process.exitCode = await runCli(process.argv.slice(2), await thisMachine(manifest.version, interruption.signal));
// An interrupted command may still be waiting for a reply, so the process is ended.
if (interruption.signal.aborted) process.exit();
