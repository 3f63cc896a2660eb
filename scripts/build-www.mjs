// npm run build:www: builds the page into build/www, for any static host.
import { build } from './build.mjs';
import { buildPage, pageFolder } from './page.mjs';
import { say } from './run.mjs';

await build();
await buildPage();
say(`the page is in ${pageFolder}`);
