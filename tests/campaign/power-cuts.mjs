// Simulated power cuts. The calls of a run are recorded, and replayed up to each one. What fsync has not made safe is
// lost, or partly there: writes and names independently of each other.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkIndex, dedupe, idsIn, indexed, inFolder, lines, randomFrom, trials, writeInput } from './common.mjs';

/** The share of the calls since the last fsync that survives: of the writes to each file, and of the names. */
const modes = [
  { name: 'nothing', data: () => 0, names: () => 0 },
  { name: 'everything', data: () => 1, names: () => 1 },
  { name: 'names only', data: () => 0, names: () => 1 },
  { name: 'data only', data: () => 1, names: () => 0 },
];

/** A file: its safe content, and the changes since. */
class File {
  safe = Buffer.alloc(0);
  pending = [];

  apply(changes) {
    let content = this.safe;
    for (const { data, position, length } of changes) {
      if (data === undefined) {
        content = Buffer.concat([content.subarray(0, length), Buffer.alloc(Math.max(0, length - content.length))]);
        continue;
      }
      const at = position ?? content.length;
      const next = Buffer.alloc(Math.max(content.length, at + data.length));
      content.copy(next);
      data.copy(next, at);
      content = next;
    }
    return content;
  }

  sync() {
    this.safe = this.apply(this.pending);
    this.pending = [];
  }

  /** The content after a power cut; the last change that survives may be torn. */
  after(share) {
    const kept = this.pending.slice(0, Math.round(share * this.pending.length));
    const last = kept.at(-1);
    if (share > 0 && share < 1 && last?.data !== undefined) {
      kept[kept.length - 1] = { ...last, data: last.data.subarray(0, last.data.length >> 1) };
    }
    return this.apply(kept);
  }
}

/** Replays `calls`. `names` is the safe content of the folder at the start. */
function replay(calls, names, output) {
  const safe = new Map(names);
  const pending = [];
  /** The names as the run sees them. */
  const seen = new Map(names);
  const open = new Map([[1, output]]);
  const set = (path, file) => {
    if (file === undefined) seen.delete(path);
    else seen.set(path, file);
    pending.push([path, file]);
  };
  for (const call of calls) {
    const file = open.get(call.fd);
    if (call.op === 'openSync') {
      if (call.flags === 'r' || call.flags === undefined) {
        open.set(call.fd, { folder: call.path });
        continue;
      }
      let known = seen.get(call.path);
      if (known === undefined) {
        known = new File();
        set(call.path, known);
      } else known.pending.push({ length: 0 });
      open.set(call.fd, known);
    } else if (call.op === 'write')
      file.pending.push({ data: Buffer.from(call.data, 'base64'), position: call.position });
    else if (call.op === 'ftruncateSync') file.pending.push({ length: call.length });
    else if (call.op === 'fsyncSync') {
      if (file.folder === undefined) file.sync();
      else {
        for (const [path, at] of pending.splice(0)) {
          if (at === undefined) safe.delete(path);
          else safe.set(path, at);
        }
      }
    } else if (call.op === 'renameSync') {
      const moved = seen.get(call.from);
      set(call.to, moved);
      set(call.from, undefined);
    } else if (call.op === 'rmSync' && seen.has(call.path)) set(call.path, undefined);
  }
  return { safe, pending };
}

export async function powerCuts(most) {
  let failures = 0;
  for (const hasIndex of [false, true]) {
    failures += await inFolder(async (folder) => {
      const input = writeInput(folder, 6000);
      const index = join(folder, 'i');
      const before = [];
      let known = '';
      if (hasIndex) {
        writeFileSync(join(folder, 'old.jsonl'), lines(0, 1000));
        await dedupe(folder, 'old.jsonl', 'old');
        const file = new File();
        file.safe = readFileSync(index);
        before.push([index, file.safe]);
        known = readFileSync(join(folder, 'old'), 'utf8');
      }
      await dedupe(folder, input, 'out', { settings: { log: join(folder, 'log') } });
      const absolute = (path) => (path?.startsWith('/') || path === undefined ? path : join(folder, path));
      const calls = readFileSync(join(folder, 'log'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .map((call) => ({ ...call, path: absolute(call.path), from: absolute(call.from), to: absolute(call.to) }));
      const random = randomFrom(3);
      const partly = { name: 'a part', data: random, names: random };
      const all = calls.flatMap((_, cut) => [...modes, partly, partly].map((mode) => ({ cut: cut + 1, mode })));
      const chosen = all.filter((_, at) => (at * most) % all.length < most);
      const title = `power cuts ${hasIndex ? 'with an index' : 'of a first run'}`;
      return trials(title, chosen, ({ cut, mode }) => {
        const files = before.map(([path, safe]) => [path, Object.assign(new File(), { safe })]);
        // The shell has made the output; its name is safe when the run has synced the folder.
        const output = new File();
        const { safe, pending } = replay(calls.slice(0, cut), files, output);
        const isOutputNamed = calls
          .slice(0, cut)
          .some((call, at) => call.op === 'fsyncSync' && isFolderOf(calls.slice(0, at), call.fd, folder));
        const names = new Map(safe);
        for (const [path, file] of pending.slice(0, Math.round(mode.names() * pending.length))) {
          if (file === undefined) names.delete(path);
          else names.set(path, file);
        }
        const kept = names.get(index)?.after(mode.data());
        const written = isOutputNamed ? output.after(mode.data()).toString() : '';
        const ids = indexed(kept);
        if (hasIndex) assert.ok(ids.length >= idsIn(known).length, 'the old index is gone');
        checkIndex(ids, known + written);
      });
    });
  }
  return failures;
}

/** Returns whether a descriptor was opened last for the folder. */
function isFolderOf(calls, fd, folder) {
  const opened = calls.findLast((call) => call.op === 'openSync' && call.fd === fd);
  return opened?.path === folder && (opened.flags === 'r' || opened.flags === undefined) && dirname(folder) !== folder;
}
