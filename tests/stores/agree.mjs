// Compares the stores of a driver with the model: for runtimes without node:test. `agree.mjs DRIVER FOLDER FROM TO STEPS`
import { join } from 'node:path';
import { addCounts, agreesWithModel } from './agrees.mjs';
import { open } from './clients.mjs';

const [driver, folder, from, to, steps] = process.argv.slice(2);
const setTime = (seconds) => {
  Date.now = () => 1000 * seconds;
};
const counts = {};
for (let seed = Number(from); seed < Number(to); seed++) {
  const url = `${driver}:${join(folder, `${seed}.db`)}`;
  addCounts(counts, await agreesWithModel({ open: (options) => open(url, options), setTime }, { seed, steps }));
}
console.log(JSON.stringify(counts));
