// Compares the store of a URL with a Deduplicator: for runtimes without node:test.
import { agrees } from './agrees.mjs';
import { open } from './clients.mjs';

const [url, count] = process.argv.slice(2);
const { store, close } = await open(url);
await agrees(store, Number(count));
close();
