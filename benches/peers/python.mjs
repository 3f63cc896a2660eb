// The virtual environment with the Python packages of requirements.txt, in build/peers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, output, root, run, say } from '../../scripts/run.mjs';

const venv = join(root, 'build', 'peers', 'venv');
export const python = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

export function installPython() {
  if (existsSync(python)) return;
  const host = ['python3.11', 'python3', 'python'].find((name) => output(name, ['--version'])?.includes(' 3.11'));
  if (host === undefined) fail('Python 3.11 is not installed: name the packages to compare with');
  say('installing the Python packages to compare with');
  run(host, ['-m', 'venv', venv]);
  const requirements = join(root, 'benches', 'peers', 'requirements.txt');
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
}
