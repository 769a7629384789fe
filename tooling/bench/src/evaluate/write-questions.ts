import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"

/** Writes JSON lines with questions, their answers and outputs of a model. */
export async function writeQuestions(file: string, count: number): Promise<void> {
  await pipeline(lines(count), createWriteStream(file))
}

function* lines(count: number): Iterable<string> {
  for (let start = 0; start < count; start += 1000) {
    const batch = Array.from({ length: Math.min(1000, count - start) }, (_, index) => line(start + index))
    yield `${batch.join("\n")}\n`
  }
}

function line(index: number): string {
  const reference = `The capital of country ${index} is Paris`
  const output = index % 3 === 0 ? reference : `I think it is Paris, or town ${index % 7}`
  return JSON.stringify({ question: `What is the capital of country ${index}?`, reference, output })
}
