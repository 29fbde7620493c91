// Runs the dependency rules and refuses a run that looked at nothing.
import { execFileSync } from 'node:child_process';

const args = [
  'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  'src',
  '--config',
  '.dependency-cruiser.cjs',
];
let report;
try {
  report = execFileSync(process.execPath, [...args, '--output-type', 'json'], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
} catch (failure) {
  report = failure.stdout;
}
const { modules, summary } = JSON.parse(report);
const own = modules.filter((m) => m.source.startsWith('src/')).length;
for (const v of summary.violations) console.log(`${v.rule.name}: ${v.from} -> ${v.to}`);
console.log(`${own} modules, ${summary.violations.length} violations`);
if (own === 0 || summary.violations.some((v) => v.rule.severity === 'error')) process.exitCode = 1;
