// Packs the package as npm publishes it, and installs it into an empty project.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './plain-output.mjs';
import { temporary } from './temporary.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const shell = process.platform === 'win32';

/** Packs the package as npm publishes it, and returns the name of the tarball in the folder. */
export function pack(folder) {
  const packed = execFileSync('npm', ['pack', join(root, 'pkg'), '--json', '--silent'], { cwd: folder, shell });
  const [{ filename }] = Object.values(JSON.parse(packed));
  return filename;
}

/** Returns the folder of a new project with the package alone. */
export function installPackage() {
  const project = temporary();
  const tarball = pack(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', `./${tarball}`, '--offline', '--no-audit', '--no-fund', '--silent'], {
    cwd: project,
    shell,
  });
  return project;
}
