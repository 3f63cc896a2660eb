// Runs scripts with drivers that are part of another runtime than this one.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from './engines.mjs';

/** The program of each driver, and its options. */
const programs = {
  'node-sqlite': ['node-lts-linux-x64/bin/node'],
  'node-sqlite-bigint-arrays': ['node-lts-linux-x64/bin/node'],
  // Bun reads the project's tsconfig.json, which maps the package's name to its sources.
  'bun-sqlite': ['bun/bin/bun.exe', () => `--tsconfig-override=${emptyConfiguration()}`],
};

function emptyConfiguration() {
  const file = join(temporary(), 'tsconfig.json');
  writeFileSync(file, '{}');
  return file;
}

/**
 * For each driver: its name, a reason to skip it or false, `commandOf(script, ...args)`, the program and its arguments that run a
 * script, and `run(script, ...args)`, which runs one with the driver as its first argument and returns what it prints.
 */
export const runtimes = Object.entries(programs).map(([driver, [program, ...options]]) => {
  const path = fileURLToPath(new URL(`node_modules/${program}`, import.meta.url));
  const commandOf = (script, ...args) => {
    const file = fileURLToPath(new URL(script, import.meta.url));
    return [path, ...options.map((option) => option()), file, ...args.map(String)];
  };
  return {
    driver,
    skip: !existsSync(path) && `${program} is not installed`,
    commandOf,
    run(script, ...args) {
      const [file, ...all] = commandOf(script, driver, ...args);
      const { status, stdout, stderr } = spawnSync(file, all, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    },
  };
});
