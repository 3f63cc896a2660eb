// A thread that sketches: it receives batches of texts, and answers each with the sketches in their binary form. `null` ends it.
import { parentPort } from 'node:worker_threads';
import { sketchAll } from 'nearprint';

parentPort.on('message', (texts) => {
  if (texts === null) parentPort.close();
  else parentPort.postMessage(sketchAll(texts).map((sketch) => sketch.toBytes()));
});
