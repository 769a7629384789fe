import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"

/** Lines of `sha256sum`, spooled to a file: there can be millions. */
export interface Sums {
  add(sha256: string, path: string): Promise<void>
  /** Closes the file. Returns the SHA-256 of all lines. */
  end(): Promise<string>
}

export function openSums(file: string): Sums {
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 })
  const ended = finished(stream)
  ended.catch(() => {})
  const hash = createHash("sha256")
  return {
    async add(sha256, path) {
      const line = `${sha256}  ${path}\n`
      hash.update(line)
      if (!stream.write(line)) await Promise.race([once(stream, "drain"), ended])
    },
    async end() {
      stream.end()
      await ended
      return hash.digest("hex")
    },
  }
}
