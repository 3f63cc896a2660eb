// The package as npm would publish it, installed into an empty project: what package.test.mjs and cli.test.mjs share.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const shell = process.platform === 'win32';

/** The folder of a new project that has the package, and nothing else. */
export function installPackage() {
  const project = mkdtempSync(join(tmpdir(), 'nearprint-'));
  const packed = execFileSync('npm', ['pack', join(root, 'pkg'), '--json', '--silent'], { cwd: project, shell });
  const [{ filename }] = Object.values(JSON.parse(packed));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', `./${filename}`, '--offline', '--no-audit', '--no-fund', '--silent'], {
    cwd: project,
    shell,
  });
  return project;
}

export const removeProject = (project) => rmSync(project, { recursive: true, force: true });
