// Temporary folders of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder, which is removed when the process ends. */
export function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
  folders.push(folder);
  return folder;
}
