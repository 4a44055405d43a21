import type { Command } from '#lib/apps/cli/command.ts';
import type { CommandName } from '#lib/apps/cli/command-line.ts';
import { init } from '#lib/apps/cli/init.ts';
import { listen } from '#lib/apps/cli/listen.ts';
import { login } from '#lib/apps/cli/login.ts';
import { logout } from '#lib/apps/cli/logout.ts';
import { programs } from '#lib/apps/cli/programs.ts';
import { status } from '#lib/apps/cli/status.ts';
import { testEvent } from '#lib/apps/cli/test-event.ts';
import { whoami } from '#lib/apps/cli/whoami.ts';

export const commands: Readonly<Record<CommandName, Command>> = {
  login,
  logout,
  whoami,
  init,
  programs,
  status,
  test: testEvent,
  listen,
};
