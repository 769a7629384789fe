// Scores existing outputs as a script does that anyone would write: exact match and F1 over words, a line for each row, and a
// summary. Arguments: file of rows, folder for the results.
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { finished } from "node:stream/promises"

interface Row {
  readonly reference: string
  readonly output: string
}

function words(text: string): readonly string[] {
  const plain = text.toLowerCase().replaceAll(/[^\w\s]/g, "")
  return plain
    .replaceAll(/\b(?:a|an|the)\b/g, " ")
    .split(/\s+/)
    .filter(Boolean)
}

function f1(output: readonly string[], reference: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of reference) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of output) {
    const count = left.get(word) ?? 0
    if (count > 0) common += 1
    left.set(word, count - 1)
  }
  return common === 0 ? 0 : (2 * common) / (output.length + reference.length)
}

const [file = "", folder = ""] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const results = createWriteStream(join(folder, "results.jsonl"))
const sums = { rows: 0, exact: 0, f1: 0 }
for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
  const row = JSON.parse(line) as Row
  const [output, reference] = [words(row.output), words(row.reference)]
  const score = { exact: output.join(" ") === reference.join(" ") ? 1 : 0, f1: f1(output, reference) }
  sums.rows += 1
  sums.exact += score.exact
  sums.f1 += score.f1
  if (!results.write(`${JSON.stringify({ ...row, ...score })}\n`)) {
    await new Promise<void>((resolve) => results.once("drain", () => resolve()))
  }
}
await finished(results.end())
await writeFile(join(folder, "summary.json"), JSON.stringify(sums))
