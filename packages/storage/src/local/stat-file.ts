import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { onDisk } from "./errors.ts"
import type { LocalContext } from "./context.ts"
import { openFile } from "./reading/open-file.ts"

/** Opens the file, as a read does, so that both agree on what is there and who may see it. */
export async function statFile(local: LocalContext, path: FilePath): Promise<StoredFile> {
  return onDisk("stat", path, async () => {
    const file = await openFile(local, path, () => ({ start: 0, end: -1 }))
    await file.close()
    return file.stored
  })
}
