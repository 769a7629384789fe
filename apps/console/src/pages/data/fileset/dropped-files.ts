/** A file and the path at which it is stored. */
export interface DroppedFile {
  readonly path: string
  readonly file: File
}

/** Maximum number of files from dropped folders. */
const MAX_FILES = 10_000

/** Returns the files of a drop, with those of dropped folders, below `folder`. @throws an error if they are more than 10,000 */
export async function filesOfDrop(data: DataTransfer, folder: string): Promise<readonly DroppedFile[]> {
  // The entries are gone after the first pause, so all of them are taken at once.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (entries.length === 0) return [...data.files].map((file) => ({ path: `${folder}${file.name}`, file }))
  const found: DroppedFile[] = []
  for (const entry of entries) await collect(entry, folder, found)
  return found
}

async function collect(entry: FileSystemEntry, folder: string, found: DroppedFile[]): Promise<void> {
  if (found.length >= MAX_FILES) {
    throw new Error("Nothing was added: the folder has more than 10,000 files. Use `assay push` for it.")
  }
  const path = `${folder}${entry.name}`
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    found.push({ path, file })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A folder is read in batches; an empty one is the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return
    for (const child of batch) await collect(child, `${path}/`, found)
  }
}
