// The same damage to snapshots in the native core, with checks of overflow: some 400,000 a second.
import { join } from 'node:path';
import { root, run, rustPackages } from '../../scripts/run.mjs';

/** A folder of its own: other builds have no such checks. */
const target = join(root, 'target', 'checked');

export function nativeSnapshots(count) {
  const env = { CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS: 'true', CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS: 'true' };
  run(
    'cargo',
    [
      'build',
      '--locked',
      '--quiet',
      '--release',
      ...rustPackages,
      '--example',
      'damaged_snapshots',
      '--target-dir',
      target,
    ],
    {
      env,
    },
  );
  // A failure is a panic, which ends this script.
  run(join(target, 'release', 'examples', 'damaged_snapshots'), [String(count)]);
  return 0;
}
