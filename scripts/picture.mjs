// npm run picture: makes docs/page.png, the picture of the demo page, in Chromium, and writes the figures in it to
// docs/page.json. A browser test compares them with the page.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { requireChromium } from './browsers.mjs';
import { build } from './build.mjs';
import { buildPage } from './page.mjs';
import { fail, root } from './run.mjs';

readArguments('');
requireChromium();
await build();
await buildPage();
// It imports the package.
const { figuresOf, openPicture } = await import('../tests/browser/picture.mjs');
const { page, errors, close } = await openPicture();
const figures = await figuresOf(page);
await page.screenshot({ path: join(root, 'docs', 'page.png') });
await close();
if (errors.length > 0) fail(errors.join('\n'));
writeFileSync(join(root, 'docs', 'page.json'), `${JSON.stringify(figures, null, 2)}\n`);
