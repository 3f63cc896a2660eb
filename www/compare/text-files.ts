// Files as the texts: dropped on a field, or opened with the button.
import { receiveFrom } from '../files/choose-files.js';
import { encodingChoice } from '../files/encodings.js';
import { readText, Unreadable } from '../files/read-file.js';
import { byId } from '../shared/dom.js';
import { type Pair, type Side, sides } from '../shared/pair.js';
import { type State, state } from '../shared/state.js';
import { MAX_SIZE, type TextField } from './text-field.js';

export interface TextFiles {
  /** Fills the fields with files, both with two of them; `side` is the field of a single one. Names the files that are left over. */
  receive(files: File[], side: Side): Promise<void>;
  /** Forgets the files: the texts are others now. */
  forget(): void;
}

/** Starts the button for files and the choice of their encoding. */
export function startTextFiles(
  fields: () => Pair<TextField>,
  replaceTexts: (change: Partial<State>) => void,
): TextFiles {
  /** The files that were read last, and their first field: another encoding reads them again. `next` is the field for the next file. */
  let last: { files: File[]; side: Side; next: Side } | null = null;

  /** Returns the field for a single file: an empty one, the one whose file could not be read, or the one that the last file did not fill. */
  const sideForFile = (): Side => sides.find((side) => state[side] === '') ?? last?.next ?? 'a';

  async function receive(files: File[], side: Side, encoding?: string): Promise<void> {
    if (files.length === 0) return;
    const targets: readonly Side[] = files.length > 1 ? sides : [side];
    const change: Partial<Pair<string>> = {};
    let unread: Side | undefined;
    for (const [at, target] of targets.entries()) {
      try {
        change[target] = await readText(files[at], MAX_SIZE, encoding);
        fields()[target].showError();
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unread ??= target;
        fields()[target].showError(...error.describe(0));
      }
    }
    if (Object.keys(change).length > 0) replaceTexts({ ...change, summaries: null });
    const [left, ...others] = files.slice(targets.length);
    // At a field that was filled: another one has the message of its file.
    const filled = sides.findLast((side) => change[side] !== undefined);
    if (left !== undefined && filled !== undefined)
      fields()[filled].showError('filesLeft', { name: left.name, more: others.length });
    last = { files, side, next: unread ?? (side === 'a' ? 'b' : 'a') };
    byId('text-encoding-choice').hidden = false;
    if (encoding === undefined) byId('text-encoding', HTMLSelectElement).selectedIndex = 0;
  }

  const encoding = encodingChoice('text-encoding', (name) => {
    if (last !== null) receive(last.files, last.side, name);
  });
  byId('actions').append(encoding);
  receiveFrom(byId('open-files', HTMLInputElement), (files) => receive(files, sideForFile()));
  return {
    receive: (files, side) => receive(files, side),
    forget() {
      last = null;
      byId('text-encoding-choice').hidden = true;
    },
  };
}
