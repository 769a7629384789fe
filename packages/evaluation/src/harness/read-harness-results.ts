import { open } from "node:fs/promises"
import { AssayError, type ScoreValue } from "@assay/schemas"

/** Scores by task, metric and name. */
export type HarnessScores = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, ScoreValue>>>>>>

const LARGEST = 16 * 1024 * 1024

/**
 * Reads the scores that a harness wrote: `{task: {metric: {score: number}}}`. NaN, which JSON has no form for, is null or
 * "NaN".
 * @throws `harness_failed` for a file that is not there, too large, no JSON, or of another form
 */
export async function readHarnessResults(path: string, shown: string): Promise<HarnessScores> {
  const text = await readText(path, shown)
  const tasks = entries(parse(text, shown), `'${shown}'`)
  if (tasks.length === 0) throw failed(`'${shown}' has no scores in it; ${FORM}`)
  return Object.fromEntries(tasks.map(([task, metrics]) => [task, readTask(metrics, `${shown}: ${task}`)]))
}

const FORM = "have the command write {task: {metric: {score: number}}} there"

function readTask(metrics: unknown, place: string): HarnessScores[string] {
  return Object.fromEntries(
    entries(metrics, place).map(([metric, scores]) => {
      const read = entries(scores, `${place}.${metric}`).map(([name, value]) => {
        return [name, readScore(value, `${place}.${metric}.${name}`)] as const
      })
      return [metric, Object.fromEntries(read)]
    }),
  )
}

function readScore(value: unknown, place: string): ScoreValue {
  if (typeof value === "number") return Number.isFinite(value) ? value : "NaN"
  if (value === null || value === "NaN") return "NaN"
  throw failed(`${place} is ${JSON.stringify(value)?.slice(0, 100)} and no number; ${FORM}`)
}

function entries(value: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value)
  throw failed(`${place} is no object; ${FORM}`)
}

async function readText(path: string, shown: string): Promise<string> {
  try {
    await using file = await open(path, "r")
    const { size } = await file.stat()
    if (size > LARGEST)
      throw failed(`'${shown}' has ${size} bytes, where ${LARGEST} may be; have it write scores alone`)
    return await file.readFile("utf8")
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
    if (isMissing) throw failed(`the harness ended well and wrote no '${shown}'; ${FORM}`)
    throw failed(`'${shown}' can't be read (${String(cause)})`, cause)
  }
}

function parse(text: string, shown: string): unknown {
  try {
    // What Python writes for a missing number.
    return JSON.parse(text.replace(/(?<=[:,[]\s*)-?(NaN|Infinity)(?=\s*[,}\]])/g, "null"))
  } catch (cause) {
    throw failed(`'${shown}' is no JSON (${cause instanceof Error ? cause.message : String(cause)}); ${FORM}`, cause)
  }
}

function failed(what: string, cause?: unknown): AssayError {
  const sentence = what.charAt(0).toUpperCase() + what.slice(1)
  return new AssayError("harness_failed", `${sentence}.`, cause === undefined ? {} : { cause })
}
