import { AssayError, type ScoreValue } from "@assay/schemas"
import { describeRange, isObject, NUMBER_RANGES } from "@assay/json"
import { readFileBelow } from "./read-file-below.ts"

/** Scores by task, metric and name. */
export type HarnessScores = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, ScoreValue>>>>>>

const MAX_BYTES = 4 * 1024 * 1024
const MAX_SCORES = 10_000

/**
 * Reads the scores that a harness wrote to `results` below `folder`: `{task: {metric: {score: number}}}`. JSON has no NaN, so null and
 * "NaN" mean it. A score is within the range of scores. Reads only a regular file, and follows no link on the way to it. At most 4 MiB and 10,000 scores.
 * @throws `harness_failed` if the file is missing, not a regular file, too large, not JSON, or of another form, or if a score is out of range
 */
export async function readHarnessResults(folder: string, results: string): Promise<HarnessScores> {
  const text = await readFileBelow(folder, results, { maxBytes: MAX_BYTES, advice: FORM })
  const tasks = entries(parse(text, results), `'${results}'`)
  if (tasks.length === 0) throw failed(`'${results}' has no scores in it; ${FORM}`)
  const left = { scores: MAX_SCORES }
  return Object.fromEntries(tasks.map(([task, metrics]) => [task, readTask(metrics, `${results}: ${task}`, left)]))
}

const FORM = "have the command write {task: {metric: {score: number}}} there"

function readTask(metrics: unknown, path: string, left: { scores: number }): HarnessScores[string] {
  return Object.fromEntries(
    entries(metrics, path).map(([metric, scores]) => {
      const read = entries(scores, `${path}.${metric}`).map(([name, value]) => {
        left.scores -= 1
        if (left.scores < 0) throw failed(`there are more than ${MAX_SCORES} scores; have the command write fewer`)
        return [name, readScore(value, `${path}.${metric}.${name}`)] as const
      })
      return [metric, Object.fromEntries(read)]
    }),
  )
}

function readScore(value: unknown, path: string): ScoreValue {
  if (typeof value === "number") {
    const { score } = NUMBER_RANGES
    // Beyond this range, means and intervals are not exact, or infinite.
    if (value >= score.minimum && value <= score.maximum) return value + 0
    throw failed(`${path.slice(0, 300)} is ${value}; have the command write ${describeRange(score)}, or null`)
  }
  if (value === null || value === "NaN") return "NaN"
  const shown = typeof value === "object" ? "an object or a list" : JSON.stringify(value)?.slice(0, 100)
  throw failed(`${path.slice(0, 300)} is ${shown}, not a number; ${FORM}`)
}

function entries(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (isObject(value)) return Object.entries(value)
  throw failed(`${path.slice(0, 300)} is not an object; ${FORM}`)
}

function parse(text: string, results: string): unknown {
  try {
    return JSON.parse(withoutMissingNumbers(text))
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.slice(0, 300) : String(cause)
    throw failed(`'${results}' is not JSON (${message}); ${FORM}`, cause)
  }
}

function failed(what: string, cause?: unknown): AssayError {
  const sentence = what.charAt(0).toUpperCase() + what.slice(1)
  return new AssayError("harness_failed", `${sentence}.`, cause === undefined ? {} : { cause })
}

const WORDS = ["-NaN", "NaN", "-Infinity", "Infinity"] as const

/**
 * Replaces `NaN` and infinities, which Python writes, with `null` in JSON text. Strings stay as they are. Takes time linear in the
 * length of the text.
 */
export function withoutMissingNumbers(text: string): string {
  const parts: string[] = []
  let kept = 0
  let at = 0
  let isText = false
  while (at < text.length) {
    const character = text[at]
    if (isText) {
      if (character === "\\") at += 1
      else if (character === '"') isText = false
    } else if (character === '"') {
      isText = true
    } else if (character === "N" || character === "I" || character === "-") {
      const from = at
      const word = WORDS.find((one) => text.startsWith(one, from))
      if (word !== undefined) {
        parts.push(text.slice(kept, at), "null")
        at += word.length
        kept = at
        continue
      }
    }
    at += 1
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept)
}
