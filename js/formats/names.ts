// The formats of documents, as the names of files state them.

export const formats = ['jsonl', 'json', 'csv', 'tsv', 'lines', 'text', 'html'] as const;
export type Format = (typeof formats)[number];

/** Returns whether a document of a format is a whole file. */
export const isWholeFile = (format: Format | undefined): boolean => format === 'text' || format === 'html';

/** Returns whether the documents of a format are rows. */
export const isTable = (format: Format | undefined): boolean => format === 'csv' || format === 'tsv';

/** The extensions of the names of files in a format. A `.json` file may have lines or an array. */
const extensions: Readonly<Record<Format, readonly string[]>> = {
  jsonl: ['jsonl', 'ndjson'],
  json: [],
  csv: ['csv'],
  tsv: ['tsv', 'tab'],
  lines: [],
  text: ['txt', 'text', 'md'],
  html: ['html', 'htm', 'xhtml'],
};

/** Returns the name of a file without the extension of a compressed one. */
const withoutCompression = (name: string): string => name.replace(/(?<=.)\.(?:gz|zst)$/i, '');

/** Returns the parts of the name of a file, without `.gz` and `.zst`: its stem, and its extension with the dot, '' for none. */
export function splitName(name: string): readonly [stem: string, extension: string] {
  const plain = withoutCompression(name);
  const [extension] = /(?<=.)\.[^.\s]+$/.exec(plain) ?? [''];
  return [plain.slice(0, plain.length - extension.length), extension];
}

/** Returns the format that the name of a file states; undefined for `.json` and for other names. */
export function formatOfName(name: string): Format | undefined {
  const [, extension = ''] = /\.([^./\\]+)$/.exec(withoutCompression(name)) ?? [];
  return formats.find((format) => extensions[format].includes(extension.toLowerCase()));
}
