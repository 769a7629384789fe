import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/** The first entry that has other bytes than the archive says, as a sentence. */
export async function compareSums(own: string, told: string): Promise<string> {
  const lines = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  const others = lines(told)[Symbol.asyncIterator]()
  try {
    for await (const line of lines(own)) {
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
