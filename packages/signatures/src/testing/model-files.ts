import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFolderStorage, type Storage } from "@assay/storage"

/** A model of three files in a temporary folder. */
export interface ModelFiles extends Disposable {
  readonly storage: Storage
  write(name: string, text: string): void
  remove(name: string): void
}

/** Creates a model of three files. */
export function createModelFiles(): ModelFiles {
  const folder = mkdtempSync(join(tmpdir(), "assay-signed-"))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("config.json", "{}")
  write("model.safetensors", "weights")
  write("tokenizer.json", "[]")
  return {
    storage: openFolderStorage(folder),
    write,
    remove: (name) => rmSync(join(folder, name)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
