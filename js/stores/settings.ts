// The settings of a store, and its metadata in the database.
import { ArgumentError } from '../core/argument-error.js';
import { checkOptions } from '../core/check.js';
import { checkProbes, STORE_PROBES } from '../core/decision-options.js';
import { copyOfKey, schemeOptions } from '../core/scheme.js';
import { Deduplicator } from '../index.js';
import type { StoreOptions } from './store.js';

/** The version of the tables and keys. */
const LAYOUT = 1;

/** The blocks of a fingerprint: four of 16 bits. A document is a candidate if one of its blocks has a probed value. */
const BLOCKS = '4x16';

export interface Settings {
  name: string;
  scheme: string;
  key: Uint8Array | undefined;
  probes: number;
}

export function checkSettings(options: StoreOptions | undefined): Settings {
  const {
    name = 'nearprint',
    probes: given = STORE_PROBES,
    ...rest
  } = checkOptions(options, ['name', 'probes', ...schemeOptions]);
  if (typeof name !== 'string' || !/^(?!sqlite)[a-z][a-z0-9_]{0,39}$/.test(name)) {
    throw new ArgumentError('name', 'up to 40 letters a-z, digits and _, the first a letter, not sqlite...', name);
  }
  const probes = checkProbes(given, 'probes');
  const checked = new Deduplicator(rest);
  const { scheme } = checked;
  checked.free();
  return { name, scheme, key: copyOfKey(rest), probes };
}

export const metadataOf = ({ name, scheme }: Settings) => ({ name, scheme, layout: LAYOUT, blocks: BLOCKS });

/** Metadata as an engine returns it; undefined if the store does not exist. */
export type FoundMetadata = Record<keyof ReturnType<typeof metadataOf>, unknown> | undefined;

/** Throws unless the metadata of a store is what this client would write. */
export function checkMetadata(found: FoundMetadata, settings: Settings): void {
  const own = metadataOf(settings);
  const refuse = (what: string): Error => new Error(`nearprint: the store "${own.name}" ${what}`);
  if (found === undefined) throw refuse('has no metadata: run the statements of schema() again');
  if (found.name !== own.name) throw refuse(`has the metadata of a store "${found.name}": open it by that name`);
  if (Number(found.layout) !== LAYOUT || found.blocks !== BLOCKS) {
    throw refuse(
      `has the layout ${found.layout} (${found.blocks}), and this version of nearprint uses ${LAYOUT} (${BLOCKS}): ` +
        'update the older program, or copy the documents to a new store',
    );
  }
  if (found.scheme !== own.scheme) {
    throw refuse(
      `has sketches of the scheme ${found.scheme}, not of ${own.scheme}: open it with { scheme: '${found.scheme}' }, ` +
        'or choose another name',
    );
  }
}
