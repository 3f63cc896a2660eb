// Loaded before the command line (`node --import`): it counts and records the calls of fs that change files, and makes
// one of them fail. The variable FS_SHIM has the settings as JSON:
//
//   log        a file that receives one line of JSON for each call
//   disk       the bytes that regular files of the run may have together; a further one fails with ENOSPC
//   fail       the number of the call that fails, from 0, with the error `code`; it and all later ones if `forever`
//   kill       the number of the call before which the process is killed
//   failFd     the descriptor whose writes fail after a half, which the error does not count
//   half       the killed or failing write has written half of its bytes
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const settings = JSON.parse(process.env.FS_SHIM ?? '{}');
const original = { ...fs };
const log = settings.log === undefined ? null : original.openSync(settings.log, 'a');
let calls = 0;
let used = 0;

const errorOf = (code, name) => {
  const texts = { ENOSPC: 'no space left on device', EIO: 'i/o error' };
  return Object.assign(new Error(`${code}: ${texts[code]}, ${name}`), { code, syscall: name });
};

function record(entry) {
  if (log !== null) original.writeSync(log, `${JSON.stringify(entry)}\n`);
}

/** Counts a call. `half` performs a half of it. */
function step(name, half) {
  const number = calls++;
  if (number === settings.kill) {
    if (settings.half) half?.();
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  }
  if (number === settings.fail || (settings.forever && number > settings.fail)) {
    if (settings.half && number === settings.fail) half?.();
    throw errorOf(settings.code, name);
  }
}

const isFile = (fd) => original.fstatSync(fd).isFile();

/** The bytes of a write that still fit on the disk. */
function fitting(fd, length, position) {
  if (settings.disk === undefined || !isFile(fd)) return length;
  const end = typeof position === 'number' ? position + length : original.fstatSync(fd).size + length;
  const more = Math.max(0, end - original.fstatSync(fd).size);
  const fits = Math.min(more, settings.disk - used);
  if (more > 0 && fits <= 0) throw errorOf('ENOSPC', 'write');
  used += fits;
  return length - (more - fits);
}

function writeSome(fd, buffer, offset = 0, length = buffer.length - offset, position = null) {
  if (fd === 2) return original.writeSync(fd, buffer, offset, length, position);
  if (fd === settings.failFd) {
    original.writeSync(fd, buffer, offset, length >> 1, position);
    throw errorOf('EIO', 'write');
  }
  step('write', () => original.writeSync(fd, buffer, offset, length >> 1, position));
  const count = fitting(fd, length, position);
  const written = original.writeSync(fd, buffer, offset, count, position);
  record({
    op: 'write',
    fd,
    position,
    data: Buffer.from(buffer.buffer, buffer.byteOffset + offset, written).toString('base64'),
  });
  return written;
}

if (isMainThread && process.env.FS_SHIM !== undefined) {
  fs.writeSync = (fd, data, ...rest) =>
    typeof data === 'string' ? writeSome(fd, Buffer.from(data)) : writeSome(fd, data, ...rest);
  fs.write = (fd, buffer, offset, length, callback) => {
    let result;
    try {
      result = writeSome(fd, buffer, offset, length, null);
    } catch (error) {
      setImmediate(callback, error);
      return;
    }
    setImmediate(callback, null, result, buffer);
  };
  // promisify() then resolves to an object, as for the original.
  Object.defineProperty(fs.write, Symbol.for('nodejs.util.promisify.custom'), {
    value: (fd, buffer, offset, length) =>
      new Promise((resolve, reject) => {
        fs.write(fd, buffer, offset, length, (error, bytesWritten) =>
          error ? reject(error) : resolve({ bytesWritten }),
        );
      }),
  });
  const wrap = (name, describe, isCounted = () => true) => {
    fs[name] = (...args) => {
      if (!isCounted(...args)) return original[name](...args);
      step(name);
      const freed = name === 'rmSync' ? original.statSync(args[0], { throwIfNoEntry: false })?.size : undefined;
      const before = name === 'ftruncateSync' ? original.fstatSync(args[0]).size : 0;
      const result = original[name](...args);
      used -= freed ?? 0;
      if (name === 'ftruncateSync') used -= before - args[1];
      record({ op: name, ...describe(result, ...args) });
      return result;
    };
  };
  wrap('openSync', (fd, path, flags) => ({ fd, path, flags }));
  wrap('closeSync', (_, fd) => ({ fd }));
  wrap('fsyncSync', (_, fd) => ({ fd }));
  wrap('ftruncateSync', (_, fd, length) => ({ fd, length }));
  fs.renameSync = ((rename) => (from, to) => {
    step('rename');
    const freed = original.statSync(to, { throwIfNoEntry: false })?.size ?? 0;
    rename(from, to);
    used -= freed;
    record({ op: 'renameSync', from, to });
  })(original.renameSync);
  wrap('rmSync', (_, path) => ({ path }));
  syncBuiltinESMExports();
}
