import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { env, kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#infra/local/process/free-port.ts';
import { ana } from '#infra/local/demo/demo-partners.ts';
import { hold } from '#test/live/hold.ts';
import { runInScope } from '#test/live/scope.ts';
import { compiledCode } from '#test/support/servers/compiled-code.ts';
import { interleaved, spreadOf } from '#test/bench/support/measure.ts';
import { mapped } from '#test/bench/support/tables/mapped.ts';
import { report } from '#test/bench/support/report.ts';

// Measures how long `npm start` takes in this folder, with packages installed, until a click of the demo is answered.
// That includes npm, its check of the packages, Node, the engine and the demo.

const ROUNDS = 10;
const LOOK_MS = 5;
const FIRST = 'first after an installation';

interface Started {
  /** Milliseconds from the command until the port is open. */
  readonly open: number;
  /** Milliseconds from the command until the click is answered. */
  readonly answered: number;
}

/** Starts the service, measures it, and ends it. */
async function start(): Promise<Started> {
  const port = await freePort();
  const from = performance.now();
  const child = spawn('npm', ['start'], { env: { ...env, PORT: `${port}` }, stdio: 'ignore', detached: true });
  const ended = once(child, 'close');
  try {
    while (!(await isOpen(port))) {
      hold(child.exitCode === null, 'npm start ended');
      await pause(LOOK_MS);
    }
    const open = performance.now() - from;
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/track/click`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ affiliate_url: `https://acme.test/?aff=${ana.links[0]}` }),
    });
    const answered = performance.now() - from;
    const said = await reply.text();
    hold(reply.status === 200, `The click was answered ${reply.status}: ${said}`);
    return { open, answered };
  } finally {
    kill(-child.pid!, 'SIGINT');
    await ended;
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const open = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return open;
}

async function firstStart(): Promise<Started> {
  await rm(compiledCode.NODE_COMPILE_CACHE, { recursive: true, force: true });
  return start();
}

await runInScope(
  'bench',
  async () => {
    const measured = await interleaved(ROUNDS, { [FIRST]: firstStart, later: start });
    const rows = mapped(measured, (found) => ({
      'until the port is open, ms': spreadOf(found.map(({ open }) => open)),
      'until a click is answered': spreadOf(found.map(({ answered }) => answered)),
    }));
    await report('npm start', rows);
  },
  (what) => console.error(`✖ start: ${what}`),
);
