import { readFileSync } from 'node:fs';
import { argv, exit } from 'node:process';

/** A check that need not pass on some resources. */
interface Waiver {
  readonly check: string;
  /** A regular expression of their whole names, such as `AWS::SNS::Topic\.AlarmsTopic.*`. */
  readonly resources: string;
  readonly reason: string;
}

/** What checkov reports of a check that failed. */
interface Finding {
  readonly check_id: string;
  readonly check_name: string;
  readonly file_path: string;
  readonly resource: string;
}

interface Report {
  readonly results: { readonly failed_checks: readonly Finding[] };
  readonly summary: { readonly passed: number; readonly parsing_errors: number; readonly resource_count: number };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const isWaivedBy = ({ check_id, resource }: Finding, { check, resources }: Waiver): boolean =>
  check === check_id && new RegExp(`^(?:${resources})$`).test(resource);

/** node judge.ts <waivers> <report>…: fails if a finding is not waived, or if a waiver is not needed. */
const [waiversFile = '', ...reportFiles] = argv.slice(2);
const waivers = read(waiversFile) as readonly Waiver[];
const reports = reportFiles.map((file) => read(file) as Report);
const findings = reports.flatMap(({ results }) => results.failed_checks);

const wrong = [
  // Checkov also passes if it finds no resources or cannot read a template.
  ...reports
    .filter(({ summary }) => summary.parsing_errors > 0 || !(summary.resource_count > 0))
    .map(() => 'checkov could not read all templates'),
  ...findings
    .filter((finding) => !waivers.some((waiver) => isWaivedBy(finding, waiver)))
    .map(({ check_id, check_name, file_path, resource }) => `${check_id} ${file_path} ${resource}: ${check_name}`),
  ...waivers
    .filter((waiver) => !findings.some((finding) => isWaivedBy(finding, waiver)))
    .map(({ check, resources }) => `${check} is waived for ${resources}, where nothing needs it any more`),
  ...waivers.filter(({ reason }) => !reason).map(({ check }) => `${check} is waived without a reason`),
];
const passed = reports.reduce((sum, { summary }) => sum + summary.passed, 0);
for (const each of wrong) console.error(`ERROR: ${each}`);
console.log(`${passed} passed, ${findings.length} failed, of which ${wrong.length} are not waived`);
exit(wrong.length > 0 ? 1 : 0);
