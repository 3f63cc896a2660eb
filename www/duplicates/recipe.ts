// The command and the program that keep the same texts as the page.
import { separatorLine } from '../../js/formats/rows.js';
import { type Scheme, sketchIdOf } from '../scheme/scheme.js';
import { defaultThreshold } from '../scheme/threshold.js';
import { copyable } from '../shared/copyable.js';
import { notPublished } from '../shared/links.js';
import type { Collection } from './collection.js';
import { type Format, formatOfName } from './format.js';
import { dialectOf } from './table.js';

/** The texts and settings of a search. */
export interface Recipe {
  collection: Pick<Collection, 'format' | 'field' | 'hasOtherValues' | 'header' | 'file' | 'encoding'>;
  scheme: Scheme;
  threshold: number;
}

const usualNames: Record<Format, string> = {
  lines: 'texts.txt',
  jsonl: 'texts.jsonl',
  json: 'texts.json',
  table: 'texts.csv',
};

/** Returns a word as a shell reads it. */
const shellWord = (word: string): string => (/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns a string in the style of the package's documentation. */
const literal = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const fileOf = ({ collection: { file, format } }: Recipe): string => file ?? usualNames[format];

/** Returns the unit and the size of shingles, such as `words3`; nothing for the default features. */
const featuresOf = ({ scheme }: Recipe): string[] => sketchIdOf(scheme).split(':').slice(1);

/** The format that the command line has for each format of the page. */
const commandFormats: Record<Format, string> = { lines: 'lines', jsonl: 'jsonl', json: 'json', table: 'csv' };

/** Returns the command that writes the kept texts. */
export function commandOf(recipe: Recipe): string {
  const { collection, threshold } = recipe;
  const { format, field, encoding } = collection;
  const file = fileOf(recipe);
  // Without the option, a text file is one document.
  const isNamed = format !== 'lines' && format === (formatOfName(file) ?? (/\.json$/i.test(file) ? 'json' : undefined));
  const options = [
    ...(isNamed ? [] : [`--format ${commandFormats[format]}`]),
    ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ...(field === '' || field === 'text' ? [] : [`--text-field ${shellWord(field)}`]),
    ...(threshold === defaultThreshold ? [] : [`--min-resemblance ${threshold}`]),
    ...featuresOf(recipe).map((features) => `--features ${features}`),
  ];
  const extension = { lines: 'txt', jsonl: 'jsonl', json: 'jsonl', table: 'csv' }[format];
  return `${['npx nearprint dedupe', ...options, shellWord(file)].join(' ')} > kept.${extension}`;
}

const isCompressed = (recipe: Recipe): boolean => /\.gz$/i.test(fileOf(recipe));

/** Returns the expression that reads the file. */
function contentOf(recipe: Recipe): string {
  const { encoding } = recipe.collection;
  const file = literal(fileOf(recipe));
  if (!isCompressed(recipe) && encoding === undefined) return `readFileSync(${file}, 'utf8')`;
  const bytes = isCompressed(recipe) ? `gunzipSync(readFileSync(${file}))` : `readFileSync(${file})`;
  return encoding === undefined ? `${bytes}.toString()` : `new TextDecoder(${literal(encoding)}).decode(${bytes})`;
}

/** Returns the expression that reads the documents. */
function readingOf(recipe: Recipe): string {
  const { format, header = '' } = recipe.collection;
  const content = contentOf(recipe);
  if (format === 'json') return `JSON.parse(${content})`;
  if (format === 'table') {
    const { delimiter, quote } = dialectOf(header);
    const options = ['columns: true', 'bom: true', 'relax_quotes: true', 'skip_empty_lines: true'];
    if (separatorLine(header) !== undefined) options.push('from_line: 2');
    if (quote === null) options.push('quote: null');
    if (delimiter !== ',') options.push(`delimiter: ${literal(delimiter)}`);
    return `parse(${content}, {\n${options.map((option) => `  ${option},\n`).join('')}})`;
  }
  const lines = `${content}\n  .split(/\\r?\\n/)\n  .filter((line) => line.trim() !== '')`;
  return format === 'jsonl' ? `${lines}\n  .map((line) => JSON.parse(line))` : lines;
}

/** Returns the program, for Node, that prints the kept texts. */
export function programOf(recipe: Recipe): string {
  const { collection, threshold } = recipe;
  const { format, field, hasOtherValues } = collection;
  const value = `document${/^[A-Za-z_]\w*$/.test(field) ? `.${field}` : `[${literal(field)}]`}`;
  const isDefault = (field === '' || field === 'text') && !hasOtherValues;
  const options = [
    ...(isDefault ? [] : [`text: (document) => ${hasOtherValues ? `[${value}].flat().join('\\n')` : value}`]),
    ...(threshold === defaultThreshold ? [] : [`minResemblance: ${threshold}`]),
    ...featuresOf(recipe).map((features) => `features: { ${features.replace(/(\d+)$/, ': $1')} }`),
  ];
  const given = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  const printed = format === 'lines' ? 'document' : 'JSON.stringify(document)';
  return `import { readFileSync } from 'node:fs';
${isCompressed(recipe) ? "import { gunzipSync } from 'node:zlib';\n" : ''}${format === 'table' ? "import { parse } from 'csv-parse/sync';\n" : ''}import { dedupe } from 'nearprint';

const documents = ${readingOf(recipe)};
for await (const { document, status } of dedupe(documents${given})) {
  if (status === 'new' || status === 'changed') console.log(${printed});
}
`;
}

/** Returns the command and the program, and what they wait for. The command reads no JSON strings, which have no fields. */
export function recipeView(recipe: Recipe): HTMLElement[] {
  const { format, field } = recipe.collection;
  const areStrings = field === '' && format !== 'lines';
  return [
    ...notPublished(),
    ...(areStrings ? [] : [copyable('found-command', 'recipeCommand', commandOf(recipe))]),
    copyable('found-program', 'recipeProgram', programOf(recipe)),
  ];
}
