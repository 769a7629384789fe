import { createHash } from "node:crypto"
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { finished } from "node:stream/promises"

/** A list of digests in the format of `sha256sum`. It is kept in a file, because there can be millions of lines. */
interface Sums {
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

/** Returns a sentence about the first entry whose computed digest differs from the digest that the archive lists. */
export async function compareSums(computed: string, listed: string): Promise<string> {
  const lines = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  const others = lines(listed)[Symbol.asyncIterator]()
  try {
    for await (const line of lines(computed)) {
      const other = await others.next()
      if (other.done === true || other.value !== line) {
        return `'${line.slice(66)}' has other bytes than were backed up.`
      }
    }
  } finally {
    await others.return?.()
  }
  return "Its list of digests was changed."
}
