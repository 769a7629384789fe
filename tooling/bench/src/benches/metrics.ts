import { open } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { inTurns } from "../measure/in-turns.ts"
import { outputOf } from "../measure/output-of.ts"
import { shortRowScores } from "../metrics/short-rows.ts"

const MIB = 1_048_576
const ARCHIVE = fileURLToPath(new URL("../evaluate/measure-archive.ts", import.meta.url))

async function scores(): Promise<readonly Measurement[]> {
  const works = shortRowScores()
  for (const work of Object.values(works)) await work()
  const [bleu, bareBleu, rouge, bareRouge] = await inTurns(
    [works.bleu, works.bareBleu, works.rouge, works.bareRouge],
    5,
  )
  const detail = (ours: number, theirs: number) => `${Math.round(20_000 / ours)}/s to ${Math.round(20_000 / theirs)}/s`
  return [
    atLeast(
      {
        work: "sentence BLEU",
        does: "Short rows with tokenizer 13a, to n-grams of words split at spaces, from the definition.",
      },
      bareBleu / bleu,
      1,
      detail(bleu, bareBleu),
    ),
    atLeast(
      { work: "ROUGE 1, 2, 3 and L", does: "Short rows with stemming, to words split at spaces, from the definition." },
      bareRouge / rouge,
      1,
      detail(rouge, bareRouge),
    ),
  ]
}

interface Archive {
  /** Milliseconds. */
  readonly first: number
  readonly seconds: number
  readonly bareSeconds: number
  readonly bytes: number
  readonly growth: number
}

async function archives(folder: string): Promise<readonly Measurement[]> {
  const measure = async (mebibytes: number): Promise<Archive> => {
    const path = join(folder, `${mebibytes}.jsonl`)
    const file = await open(path, "w")
    await file.truncate(mebibytes * MIB)
    await file.close()
    return JSON.parse(await outputOf(ARCHIVE, [path])) as Archive
  }
  const small = await measure(1)
  const large = await measure(2048)
  const speed = (seconds: number) => `${Math.round(large.bytes / MIB / seconds)} MiB/s`
  return [
    atMost(
      { work: "first byte of a results archive", does: "With a file of 2 GiB, to one with a file of 1 MiB." },
      large.first / small.first,
      5,
      `${large.first.toFixed(1)} ms to ${small.first.toFixed(1)} ms`,
    ),
    atLeast(
      {
        work: "results archive of 2 GiB",
        does: "Streamed with its checksum, to reading the file for its CRC-32 alone.",
      },
      large.bareSeconds / large.seconds,
      0.25,
      `${speed(large.seconds)} to ${speed(large.bareSeconds)}`,
    ),
    atMost(
      { work: "memory of that, MiB", does: "Growth of the resident memory of its process; pieces of 1 MiB." },
      large.growth / MIB,
      128,
      "highest",
    ),
  ]
}

export const metrics: Bench = {
  name: "metrics",
  async run({ folder, part }) {
    await part("scores of short rows", scores)
    await part("archives", () => archives(folder))
  },
}
