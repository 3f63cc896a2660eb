// In old JavaScript, so that an old Node can run it and report its version.
'use strict';

if (typeof process === 'object' && process.versions && /^(1?\d|20\.(\d|1[0-8]))\./.test(process.versions.node)) {
  // biome-ignore lint/style/useTemplate: an old Node may not know templates
  throw new Error('nearprint: Node must be 20.19 or newer, got ' + process.versions.node);
}
