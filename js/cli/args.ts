// Parses a command line into the values of options.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { alternatives } from '../core/types.js';
import { UserError } from '../node/user-error.js';
import { messageOf, shorten } from './errors.js';
import { type Command, type OptionName, options, optionsOf } from './help.js';
import { suggestion } from './suggest.js';

/** An error in the usage. The help of the command says more. */
export class UsageError extends UserError {}

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
  exclude(names: readonly OptionName[], advice = ''): void {
    const [first, second] = names.filter((name) => this.has(name));
    if (second !== undefined) throw new UsageError(`--${first} cannot be combined with --${second}${advice}`);
  }
}

/** Parses the arguments of a command. */
export function parse(command: Command, args: string[]): Values {
  const names = optionsOf(command);
  const specs: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of names) {
    const [short, value] = options[name];
    const type = value === '' ? 'boolean' : 'string';
    specs[name] = { type, multiple: name === 'against', ...(short === '' ? {} : { short }) };
  }
  const { tokens } = parseArgs({ args, options: specs, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(specs, token.name)) continue;
    const near = suggestion(
      token.rawName,
      names.map((name) => `--${name}`),
    );
    throw new UsageError(`${shorten(token.rawName, 40)} is not an option of ${command}${near}`);
  }
  try {
    const { values, positionals } = parseArgs({ args, options: specs, allowPositionals: true });
    return new Values(values, positionals);
  } catch (error) {
    throw new UsageError(messageOf(error).split(/\.\s/)[0]);
  }
}
