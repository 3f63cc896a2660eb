// The formats of documents, as the names of files state them.

export const formats = ['jsonl', 'json', 'csv', 'tsv', 'lines', 'text', 'html'] as const;
export type Format = (typeof formats)[number];

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

/** Returns the format that the name of a file states; undefined for `.json` and for other names. */
export function formatOfName(name: string): Format | undefined {
  const [, extension = ''] = /\.([^./\\]+)$/.exec(name.replace(/\.(?:gz|zst)$/i, '')) ?? [];
  return formats.find((format) => extensions[format].includes(extension.toLowerCase()));
}
