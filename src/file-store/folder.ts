// Files in a folder that the processes share. A file is written under another name next to its place, made safe, and
// moved there: no reader ever sees part of one, whatever ends the writer.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { byName, checkName, type FileStore, type StoredFile } from './file-store';

const PARTIAL = '.partial';
/** No file takes this long to write: an older one was left by a writer that died. */
const LEFT_BEHIND_MS = 86_400_000;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A move is safe when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

async function removeLeftBehind(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL)) continue;
    const path = join(folder, name);
    const found = await orNull(stat(path));
    if (found && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

/** The folder is created with the first file. */
export function createFolderStore(root: string): FileStore {
  const pathOf = (name: string): string => join(root, checkName(name));
  const find = async (name: string): Promise<StoredFile | null> => {
    const found = await orNull(stat(pathOf(name)));
    return found?.isFile() ? { name, bytes: found.size } : null;
  };
  return {
    async put(name, content) {
      const path = pathOf(name);
      const folder = dirname(path);
      await mkdir(folder, { recursive: true });
      await removeLeftBehind(folder);
      const partial = join(folder, `.${randomUUID()}${PARTIAL}`);
      try {
        const bytes = await write(partial, content);
        await rename(partial, path);
        await syncFolder(folder);
        return { name, bytes };
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    async open(name, range) {
      const file = await orNull(open(pathOf(name), 'r'));
      if (!file) return null;
      const { start, end } = range ?? {};
      return createReadStream('', { fd: file, start, ...(end !== undefined && { end: end - 1 }) });
    },
    stat: find,
    async list(folder) {
      const below = folder === '' ? root : pathOf(folder.replace(/\/$/, ''));
      const entries = (await orNull(readdir(below, { recursive: true, withFileTypes: true }))) ?? [];
      const named = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL));
      const names = named.map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
      const files = await Promise.all(names.map(find));
      return files.filter((file) => file !== null).sort(byName);
    },
    delete: (name) => rm(pathOf(name), { force: true }),
  };
}
