// Notices that the file of an open database is deleted, renamed or replaced. With a rollback journal, SQLite refuses to write
// then. With a write-ahead log it goes on without an error, and all that it writes is lost.

interface FileSystem {
  statSync(path: string, options: { bigint: true; throwIfNoEntry: false }): { ino: bigint } | undefined;
}

/** A runtime with the modules of Node. */
interface Runtime {
  process?: { getBuiltinModule?(name: 'node:fs'): FileSystem };
}

/** The file of a database, as a client names it. */
export interface DatabaseFile {
  /** The absolute path; '' for a database in memory. A URI may have a name that is not a path of this machine. */
  path: string;
  /** Whether the client opened the path itself, so that the file existed then. */
  isOpened: boolean;
}

/**
 * Returns a function that throws if the file of a database is not the one that it was when this function was called, by its inode
 * number, as SQLite compares it, or if it was gone then.
 */
export function fileCheck(readFile: () => DatabaseFile): () => void {
  const fs = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs');
  if (fs === undefined) return () => {};
  let file: (DatabaseFile & { inode: bigint | undefined }) | undefined;
  const check = () => {
    if (file === undefined) {
      const read = readFile();
      file = { ...read, inode: read.path === '' ? undefined : inodeOf(fs, read.path) };
    }
    const { path, isOpened, inode } = file;
    const isMoved = inode === undefined ? path !== '' && isOpened : inodeOf(fs, path) !== inode;
    if (isMoved)
      throw Object.assign(new Error(`${path} is not the open database`), { code: 'SQLITE_READONLY_DBMOVED' });
  };
  try {
    check();
  } catch {
    // The first call throws it again, with advice. A database may be opened until then.
  }
  return check;
}

const inodeOf = (fs: FileSystem, path: string) => fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
