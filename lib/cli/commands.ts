import type { Command } from '#lib/cli/command.ts';
import type { CommandName } from '#lib/cli/command-line.ts';
import { init } from '#lib/cli/init.ts';
import { login } from '#lib/cli/login.ts';
import { logout } from '#lib/cli/logout.ts';
import { programs } from '#lib/cli/programs.ts';
import { status } from '#lib/cli/status.ts';
import { testEvent } from '#lib/cli/test-event.ts';
import { whoami } from '#lib/cli/whoami.ts';

export const commands: Readonly<Record<CommandName, Command>> = {
  login,
  logout,
  whoami,
  init,
  programs,
  status,
  test: testEvent,
};
