import type { DigestIndex, FileVersion } from "@assay/storage"

/** The digests of the files in a folder, by their paths below it. */
export function digestsBelow(digests: DigestIndex, folder: string): DigestIndex {
  const placed = <File extends FileVersion>(file: File): File => ({ ...file, path: `${folder}/${file.path}` })
  return {
    get: (file) => digests.get(placed(file)),
    getMany: (files) => digests.getMany(files.map(placed)),
    put: (file, sha256) => digests.put(placed(file), sha256),
    forget: (path, keep) => digests.forget(`${folder}/${path}`, keep && placed(keep)),
  }
}
