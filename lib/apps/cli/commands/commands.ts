import type { Command } from '#lib/apps/cli/commands/command.ts';
import type { CommandName } from '#lib/apps/cli/commands/command-line.ts';
import { init } from '#lib/apps/cli/commands/init.ts';
import { listen } from '#lib/apps/cli/listen/listen.ts';
import { login } from '#lib/apps/cli/login/login.ts';
import { logout } from '#lib/apps/cli/login/logout.ts';
import { programs } from '#lib/apps/cli/commands/programs.ts';
import { status } from '#lib/apps/cli/commands/status.ts';
import { testEvent } from '#lib/apps/cli/commands/test-event.ts';
import { whoami } from '#lib/apps/cli/login/whoami.ts';

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
