// In old JavaScript, so that an old Node can run it and report its version.
'use strict';

if (typeof process === 'object' && process.versions && parseInt(process.versions.node, 10) < 20) {
  // biome-ignore lint/style/useTemplate: an old Node may not know templates
  throw new Error('nearprint: Node 20.19 or newer is needed, and this is ' + process.versions.node);
}
