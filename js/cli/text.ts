// The command text: what the other commands compare.
import { escapeName, forTerminal } from '../node/errors.js';
import { nameOf } from './chunks.js';
import { findInputs } from './find-inputs.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { Output } from './output.js';
import { reportPage } from './pages.js';
import { bytesOf } from './path.js';
import { readRecords } from './reader.js';
import { readingOf } from './reading.js';
import { isDocumentName } from './recognise.js';

export async function textCommand(values: Values, io: Io): Promise<void> {
  const { html, ...reading } = readingOf(values);
  const inputs = await findInputs(values, io);
  // A file whose name and options state no format is one text.
  const files = inputs.map((input): Input => {
    const format = isDocumentName(input.path) ? undefined : html ? 'html' : 'text';
    return { ...input, format: input.format ?? format };
  });
  let isFirst = true;
  for await (const { text, words, place } of readRecords(files, { html, ...reading }, io)) {
    const title = files.length > 1 || place !== nameOf(files[0].path) ? `==> ${escapeName(place)} <==\n` : '';
    const content = process.stdout.isTTY ? forTerminal(text) : text;
    await Output.stdout.write(bytesOf(`${isFirst ? '' : '\n'}${title}`));
    await Output.stdout.write(`${content}${content.endsWith('\n') ? '' : '\n'}`);
    isFirst = false;
    reportPage(io, place, words);
  }
  for (const warning of io.pathWarnings()) io.note(warning);
}
