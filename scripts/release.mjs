// Makes a release: checks everything, sets the version, dates the changelog, commits and tags. Publishes nothing: what is
// left to do is printed.
//
//   node scripts/release.mjs 0.2.0 [--date 2026-12-01] [--no-checks]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { date: { type: 'string' }, 'no-checks': { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
const date = values.date ?? new Date().toISOString().slice(0, 10);

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const run = (program, ...args) => execFileSync(program, args, { stdio: 'inherit' });

/** Why there can be no release; nothing has been changed by then. */
function objection() {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'usage: node scripts/release.mjs 0.2.0';
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return `${date} is no date: 2026-12-01`;
  if (git('status', '--porcelain') !== '') return 'there are changes that are not committed';
  if (git('tag', '--list', `v${version}`) !== '') return `v${version} is released already`;
  if (!unreleased().test(readFileSync('CHANGELOG.md', 'utf8'))) {
    return `CHANGELOG.md has no section "## ${version} (not released)"`;
  }
  return undefined;
}

function unreleased() {
  return new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(not released\\)$`, 'm');
}

function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** The version, wherever it stands. */
function setVersion() {
  const before = JSON.parse(readFileSync('package.json', 'utf8')).version;
  if (before !== version) run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
  edit('CHANGELOG.md', (text) => text.replace(unreleased(), `## ${version} (${date})`));
  for (const file of ['README.md', 'docs/ci.md']) {
    edit(file, (text) =>
      text
        .replaceAll(`memplan-${before}.tgz`, `memplan-${version}.tgz`)
        .replaceAll(`v${before}`, `v${version}`),
    );
  }
}

const reason = objection();
if (reason !== undefined) {
  console.error(reason);
  process.exitCode = 2;
} else {
  if (!values['no-checks']) run('bash', '.ci/run');
  setVersion();
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `memplan ${version}`);
  console.log(`Committed and tagged v${version}. What is left, by the Node that most people run:

  npm ci && npm run test:package
  git push --follow-tags
  npm publish`);
}
