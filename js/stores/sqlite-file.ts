// Notices that the file of an open database is deleted, renamed or replaced. With a rollback journal, SQLite refuses to write
// then. With a write-ahead log it goes on without an error, and all that it writes is lost.

interface FileSystem {
  statSync(path: string, options: { bigint: true; throwIfNoEntry: false }): { ino: bigint } | undefined;
}

/** A runtime with the modules of Node. */
interface Runtime {
  process?: { getBuiltinModule?(name: 'node:fs'): FileSystem };
}

/**
 * Returns a function that throws if the file of a database is not the one that it was at the first call, by its inode number, as
 * SQLite compares it. `readPath` returns the path of the file, '' for a database in memory.
 */
export function fileCheck(readPath: () => string): () => void {
  const fs = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs');
  if (fs === undefined) return () => {};
  let path: string | undefined;
  let inode: bigint | undefined;
  return () => {
    if (path === undefined) {
      path = readPath();
      inode = path === '' ? undefined : inodeOf(fs, path);
    }
    // A name that is not a path has no file.
    if (inode === undefined || inodeOf(fs, path) === inode) return;
    throw Object.assign(new Error(`${path} is not the open database`), { code: 'SQLITE_READONLY_DBMOVED' });
  };
}

const inodeOf = (fs: FileSystem, path: string) => fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
