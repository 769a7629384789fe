import type { DigestIndex, FileVersion } from "./digest-index.ts"

/** A digest index that lasts as long as the process: for commands that work on a folder without a server. */
export function createMemoryDigestIndex(): DigestIndex {
  const versionsByPath = new Map<string, Map<string, string>>()
  const lookUp = (file: FileVersion) => versionsByPath.get(file.path)?.get(versionKey(file))
  return {
    get: async (file) => lookUp(file),
    getMany: async (files) => files.map(lookUp),
    async put(file, sha256) {
      const versions = versionsByPath.get(file.path) ?? new Map<string, string>()
      versionsByPath.set(file.path, versions.set(versionKey(file), sha256))
    },
    async forget(path, keep) {
      const kept = keep === undefined ? undefined : lookUp(keep)
      if (keep === undefined || kept === undefined) versionsByPath.delete(path)
      else versionsByPath.set(path, new Map([[versionKey(keep), kept]]))
    },
  }
}

function versionKey({ size, mtimeNs }: FileVersion): string {
  return `${size}-${mtimeNs}`
}
