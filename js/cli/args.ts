// Parses a command line into the values of options.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { alternatives } from '../core/types.js';
import { UserError } from '../node/user-error.js';
import { messageOf, shorten } from './errors.js';
import { suggestion } from './suggest.js';

/** An error in the usage. The help of the command says more. */
export class UsageError extends UserError {}

type Specs = NonNullable<ParseArgsConfig['options']>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** All options. */
const specs = {
  against: { type: 'string', short: 'a', multiple: true },
  'against-only': flag,
  annotate: flag,
  bits: text,
  checkpoint: text,
  count: { type: 'boolean', short: 'c' },
  delimiter: text,
  different: text,
  duplicates: { type: 'boolean', short: 'v' },
  expect: text,
  expire: text,
  'fail-on-duplicates': flag,
  'files-from': text,
  format: { type: 'string', short: 'f' },
  'group-field': text,
  help: { type: 'boolean', short: 'h' },
  html: flag,
  'id-field': text,
  ids: text,
  index: { type: 'string', short: 'i' },
  json: flag,
  'json-summary': text,
  jsonl: flag,
  keep: { type: 'string', short: 'k' },
  'keep-max': text,
  'keep-min': text,
  'key-file': text,
  labels: text,
  limit: text,
  linkage: text,
  'min-resemblance': { type: 'string', short: 'm' },
  quiet: { type: 'boolean', short: 'q' },
  report: { type: 'string', short: 'r' },
  'report-html': text,
  'report-language': text,
  same: text,
  sample: text,
  scheme: text,
  sketch: flag,
  store: { type: 'string', short: 's' },
  'text-field': { type: 'string', short: 't' },
  threads: { type: 'string', short: 'j' },
} satisfies Specs;

export type OptionName = keyof typeof specs;

const fields = ['text-field', 'id-field'] as const;
const input = ['format', 'delimiter', 'files-from', ...fields] as const;
const common = ['help', 'quiet', 'html', 'key-file'] as const;
const reporting = ['report-html', 'report-language', 'group-field'] as const;

/** The options of each command. */
const commands = {
  dedupe: [
    ...common,
    ...input,
    ...reporting,
    'against',
    'against-only',
    'annotate',
    'bits',
    'checkpoint',
    'count',
    'duplicates',
    'expire',
    'fail-on-duplicates',
    'index',
    'json-summary',
    'keep',
    'keep-max',
    'keep-min',
    'min-resemblance',
    'report',
    'scheme',
    'store',
    'threads',
  ],
  clusters: [...common, ...input, 'annotate', 'linkage', 'min-resemblance', 'scheme', 'threads'],
  calibrate: [...common, ...input, ...reporting, 'scheme', 'labels', 'expect', 'sample', 'same', 'different', 'json'],
  compare: [...common, 'min-resemblance', 'bits', 'scheme'],
  hash: [...common, ...fields, 'threads', 'bits', 'scheme', 'format', 'jsonl', 'sketch'],
  query: [...common, ...fields, 'threads', 'min-resemblance', 'limit', 'jsonl'],
  index: ['help', 'quiet', 'json', 'ids'],
} satisfies Record<string, readonly OptionName[]>;

export type Command = keyof typeof commands;

export const commandNames: readonly Command[] = Object.keys(commands) as Command[];

export const isCommand = (name: string): name is Command => Object.hasOwn(commands, name);

/** The values of a command line. */
export class Values {
  readonly #values: Readonly<Record<string, unknown>>;
  /** The arguments that are not options. */
  readonly files: string[];

  constructor(values: Readonly<Record<string, unknown>>, files: string[]) {
    this.#values = values;
    this.files = files;
  }

  has(name: OptionName): boolean {
    return this.#values[name] !== undefined;
  }

  flag(name: OptionName): boolean {
    return this.#values[name] === true;
  }

  text(name: OptionName): string | undefined {
    return this.#values[name] as string | undefined;
  }

  all(name: OptionName): string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  /** Returns the path of an option. */
  path(name: OptionName): string | undefined {
    const path = this.text(name);
    if (path === '') throw new UsageError(`--${name} must be the path of a file, got ""`);
    return path;
  }

  /** Returns the value of an option with a fixed set of values, the first by default. */
  choice<Choice extends string>(name: OptionName, choices: readonly Choice[]): Choice {
    const value = this.text(name) ?? choices[0];
    const chosen = choices.find((choice) => choice === value);
    if (chosen !== undefined) return chosen;
    throw new UsageError(`--${name} must be ${alternatives(choices)}, got ${JSON.stringify(shorten(value, 40))}`);
  }

  /** Returns the number of an option, checked by `check`; undefined if the option is absent. */
  number<T>(name: OptionName, check: (value: unknown, argument: string) => T): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    try {
      return check(/^-?(?:\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value, `--${name}`);
    } catch (error) {
      throw new UsageError(messageOf(error));
    }
  }

  /** Refuses two options that exclude each other. */
  exclude(...names: OptionName[]): void {
    const [first, second] = names.filter((name) => this.has(name));
    if (second !== undefined) throw new UsageError(`--${first} cannot be combined with --${second}`);
  }
}

/** Parses the arguments of a command. */
export function parse(command: Command, args: string[]): Values {
  const names: readonly OptionName[] = commands[command];
  const options: Specs = Object.fromEntries(names.map((name) => [name, specs[name]]));
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const near = suggestion(
      token.rawName,
      names.map((name) => `--${name}`),
    );
    throw new UsageError(`${shorten(token.rawName, 40)} is not an option of ${command}${near}`);
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return new Values(values, positionals);
  } catch (error) {
    throw new UsageError(messageOf(error).split('. ')[0]);
  }
}
