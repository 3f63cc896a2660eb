// Compares the stores of a driver with the model: for runtimes without node:test. `agree.mjs DRIVER FOLDER RUNS STEPS`
import { join } from 'node:path';
import { addCounts, agreesWithModel } from './agrees.mjs';
import { open } from './clients.mjs';

const [driver, folder, runs, steps] = process.argv.slice(2);
const setTime = (seconds) => {
  Date.now = () => 1000 * seconds;
};
const counts = {};
for (let seed = 0; seed < Number(runs); seed++) {
  const url = `${driver}:${join(folder, `${seed}.db`)}`;
  addCounts(counts, await agreesWithModel({ open: (options) => open(url, options), setTime }, { seed, steps }));
}
console.log(JSON.stringify(counts));
