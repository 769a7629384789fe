import { crc32, inflateRawSync } from "node:zlib"

/** Reads the files of a small zip archive by path, from its directory. Compares every checksum. */
export function readZip(archive: Buffer): Readonly<Record<string, string>> {
  const end = archive.lastIndexOf("PK\u0005\u0006", undefined, "latin1")
  let at = archive.readUInt32LE(end + 16)
  const files: Record<string, string> = {}
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(at + 28)
    const extraLength = archive.readUInt16LE(at + 30)
    const path = archive.toString("utf8", at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = inflateRawSync(archive.subarray(start))
    if (crc32(bytes) !== archive.readUInt32LE(at + 16)) throw new Error(`wrong digest of ${path}`)
    files[path] = bytes.toString()
    at += 46 + nameLength + extraLength
  }
  return files
}
