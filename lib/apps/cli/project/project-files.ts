import { instructions, type SetUpProgram } from '#lib/apps/cli/project/instructions.ts';
import type { ProjectConfig } from '#lib/apps/cli/project/project-config.ts';
import type { CreatedProgram } from '#lib/wire/programs/program.ts';

/** A file to write. Its path is relative to the project's folder. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

const READABLE = 0o644;
const OWNER_ONLY = 0o600;

/** All files that `init` writes, except `.gitignore`. */
export function projectFiles(program: SetUpProgram, apiUrl: string, createdAt: Date): readonly ProjectFile[] {
  const guide = instructions(program, apiUrl);
  const config = `${JSON.stringify(projectConfig(program, apiUrl, createdAt), undefined, 2)}\n`;
  return [
    { path: '.service/.env', text: envFile('', String(program.program_id), ''), mode: OWNER_ONLY },
    { path: '.service/.env.example', text: EXAMPLE, mode: READABLE },
    { path: '.service/AGENTS.md', text: guide, mode: READABLE },
    { path: '.service/skills.md', text: guide, mode: READABLE },
    // This file is written last: its existence means that the project is configured.
    { path: '.service/config.json', text: config, mode: READABLE },
  ];
}

const envFile = (key: string, programId: string, account: string) =>
  `SERVICE_API_KEY=${key}\nSERVICE_PROGRAM_ID=${programId}\nSTRIPE_CONNECTED_ACCOUNT_ID=${account}\n`;

const EXAMPLE =
  '# Copy to .env, which is not committed. A workspace owner generates the key in the dashboard, Settings → API Key.\n' +
  envFile('your-program-key', 'your-program-id', 'your-stripe-account-id-if-connected');

const projectConfig = (program: CreatedProgram, apiUrl: string, createdAt: Date): ProjectConfig => ({
  version: 1,
  program_id: program.program_id,
  domain: program.domain,
  commission: {
    type: program.commission_type,
    rate: program.commission_rate,
    duration_months: program.duration_months || null,
  },
  cookie: { name: 'service_click_id', duration_days: program.attribution_window_days },
  ref_param: 'aff',
  api_url: apiUrl,
  created_at: createdAt.toISOString(),
});
