// Parses the command line into options.
import { parseArgs } from 'node:util';
import { MAX_EXPECTED, MAX_SAMPLED } from '../calibrate/calibrate.js';
import { checkBits, checkWhole } from '../core/check.js';
import { checkMaxDistance, defaultMaxDistance } from '../core/max-distance.js';
import { Fingerprinter } from '../index.js';
import { UserError } from '../node/user-error.js';
import { checkThreads, defaultThreads } from '../node/workers.js';
import { languages } from '../report/messages.js';

const text = { type: 'string' };
const flag = { type: 'boolean' };

const common = { help: { type: 'boolean', short: 'h' }, quiet: { type: 'boolean', short: 'q' }, html: flag };
const scheme = { bits: text, scheme: text };
const rule = { 'min-resemblance': text, 'max-distance': text };
const lines = { 'text-field': text, 'id-field': text, threads: text };
const reporting = { 'report-html': text, 'report-language': text, 'group-field': text };

/** The options of each command. */
const commands = {
  dedupe: {
    ...common,
    ...scheme,
    ...lines,
    ...rule,
    keep: text,
    report: text,
    index: text,
    checkpoint: text,
    store: text,
    ...reporting,
  },
  calibrate: {
    ...common,
    ...lines,
    ...reporting,
    scheme: text,
    labels: text,
    expect: text,
    sample: text,
    same: text,
    different: text,
    json: flag,
  },
  compare: { ...common, ...scheme, ...rule },
  hash: { ...common, ...scheme, ...lines, format: text, jsonl: flag, sketch: flag },
  query: { ...common, ...lines, 'max-distance': text, limit: text, jsonl: flag },
};

export const isCommand = (name) => Object.hasOwn(commands, name);

/** Returns the value of an option with a fixed set of values, the first by default. */
function choice(values, name, choices) {
  const value = values[name] ?? choices[0];
  if (choices.includes(value)) return value;
  throw new UserError(`--${name} takes ${choices.join(' or ')}, but got "${value}"`);
}

const messageOf = (error) => error.message.replace(/^nearprint: /, '');

/** Returns the number of an option, checked by `check`; undefined if the option is absent. */
function number(values, name, check) {
  const value = values[name];
  if (value === undefined) return undefined;
  try {
    return check(/^\d+$/.test(value) ? Number(value) : value, `--${name}`);
  } catch (error) {
    throw new UserError(messageOf(error));
  }
}

/** Returns a resemblance above 0; undefined if the option is absent. */
function resemblance(values, name) {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d*\.?\d+$/.test(value) && number > 0 && number <= 1) return number;
  throw new UserError(`--${name} takes a number above 0 and up to 1, but got "${value}"`);
}

/** Returns the checked options and the files of a command. */
export function parse(command, args) {
  let parsed;
  try {
    parsed = parseArgs({ args, options: commands[command], allowPositionals: true });
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UserError(error.message.split('. ')[0]);
  }
  const { values, positionals: files } = parsed;
  if (values.help) return { help: true };
  if (command === 'compare' && files.length !== 2)
    throw new UserError(`compare takes two files, but got ${files.length}`);
  if (command === 'query' && files.length === 0) throw new UserError('query takes an index file');
  for (const name of ['index', 'report', 'report-html'])
    if (values[name] === '') throw new UserError(`--${name} takes a file`);

  const { 'min-resemblance': minResemblance, 'max-distance': maxDistance } = values;
  if (minResemblance !== undefined && maxDistance !== undefined) {
    throw new UserError('--min-resemblance and --max-distance are two rules: only one can be given');
  }
  if (command === 'dedupe' && values['report-html'] !== undefined) {
    const other = ['store', 'max-distance'].find((name) => values[name] !== undefined);
    if (other !== undefined) throw new UserError(`--report-html takes no --${other} beside it`);
  }
  if (values.store !== undefined) {
    const other = ['index', 'max-distance'].find((name) => values[name] !== undefined);
    if (other !== undefined) throw new UserError(`--store takes no --${other} beside it`);
  }
  const bits = number(values, 'bits', checkBits);
  const options = {
    quiet: values.quiet ?? false,
    jsonl: values.jsonl ?? false,
    report: values.report,
    index: values.index,
    /** In milliseconds. */
    checkpoint: 1000 * (number(values, 'checkpoint', (value, name) => checkWhole(value, name, 86_400)) ?? 60),
    store: values.store,
    keep: choice(values, 'keep', ['first', 'longest']),
    format: choice(values, 'format', ['hex', 'decimal', 'signed']),
    limit: number(values, 'limit', (value, name) => checkWhole(value, name, 2 ** 32 - 1)),
    sketch: values.sketch ?? false,
    minResemblance: resemblance(values, 'min-resemblance'),
    reportHtml: values['report-html'],
    reportLanguage: choice(values, 'report-language', languages),
    groupField: values['group-field'],
    labels: values.labels,
    expect: number(values, 'expect', (value, name) => checkWhole(value, name, MAX_EXPECTED, 1)),
    sample: number(values, 'sample', (value, name) => checkWhole(value, name, MAX_SAMPLED, 1)),
    same: resemblance(values, 'same'),
    different: resemblance(values, 'different'),
    json: values.json ?? false,
    given: { maxDistance: maxDistance !== undefined },
    reading: {
      textField: values['text-field'] ?? 'text',
      idField: values['id-field'] ?? 'id',
      html: values.html ?? false,
      threads: number(values, 'threads', checkThreads),
      defaultThreads: defaultThreads(),
    },
    /** Returns the largest distance of near-duplicates for a width. */
    maxDistance: (bits) =>
      number(values, 'max-distance', (value, name) => checkMaxDistance(value, bits, name)) ?? defaultMaxDistance(bits),
    /** Returns a fingerprinter of the given scheme, which must be the scheme of the index, if there is one. */
    fingerprinter(index = null, path = '') {
      const isGiven = values.scheme !== undefined || bits !== undefined;
      let fingerprinter;
      try {
        fingerprinter = new Fingerprinter(
          isGiven || index === null ? { scheme: values.scheme, bits } : { scheme: index.scheme },
        );
      } catch (error) {
        throw new UserError(isGiven || index === null ? messageOf(error) : `${path}: ${messageOf(error)}`);
      }
      const { id } = fingerprinter;
      // A deduplicator has sketches, whose scheme is that of 64 bits.
      const own = index?.bits === undefined ? id.replace(/^v1:\d+/, 'v1:64') : id;
      if (index !== null && index.scheme !== own) {
        throw new UserError(`${path} has fingerprints of the scheme ${index.scheme}, not of ${fingerprinter.id}`);
      }
      return fingerprinter;
    },
  };
  // Checked before any file is read, if the width is known.
  if (command === 'dedupe' || command === 'compare') {
    if (values.index === undefined) options.maxDistance(options.fingerprinter().bits);
  }
  return { options, files };
}
