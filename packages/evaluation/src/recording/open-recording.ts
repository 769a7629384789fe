import type { ChatAnswer } from "@assay/inference"
import { fieldsOf, isJsonObject } from "@assay/json"
import { AssayError, maskUrlUser } from "@assay/schemas"
import type { Recording } from "@assay/scoring"
import { openResponseCache, responseKey } from "../engine/response-cache.ts"
import type { AnswerStore } from "./stored-answers.ts"

export interface RecordingOptions {
  /** Whether a request without a recorded answer fails. Default false. */
  readonly isReplayOnly?: boolean | undefined
  /** Whether answers of earlier runs are replaced instead of read. Default false. */
  readonly isFresh?: boolean | undefined
  /**
   * Milliseconds since 1970: answers that were recorded before are replaced instead of read. Several processes that share the folder then ask once.
   * Default: none are.
   */
  readonly freshSince?: number | undefined
}

type RecordedRequest = Parameters<Recording["answer"]>[0]
type RecordingUse = NonNullable<Parameters<Recording["answer"]>[2]>
type KindOf = NonNullable<RecordingUse["kindOf"]>

/** Answers that are not in a folder of this machine. */
interface NamedAnswers {
  /** For messages. */
  readonly name: string
  readonly answers: AnswerStore
}

/**
 * Opens the recording in a folder, or elsewhere. Each answer is durable before the caller gets it. Equal requests that are sent at the
 * same time are one request, so that a replay has the answers of the run that recorded.
 */
export function openRecording(
  from: string | NamedAnswers,
  { isReplayOnly = false, isFresh = false, freshSince }: RecordingOptions = {},
): Recording {
  const { name, answers: cache } = typeof from === "string" ? { name: from, answers: openResponseCache(from) } : from
  const pending = new Map<string, Promise<ChatAnswer>>()
  /** The answers of this run, which a fresh one reads. */
  const own = new Set<string>()

  async function get(key: string, request: RecordedRequest, ask: () => Promise<ChatAnswer>, kindOf: KindOf) {
    const known =
      isFresh && !own.has(key) ? undefined : await cache.read(key, { since: freshSince, isNeeded: isReplayOnly })
    const kind = isAnswer(known) ? kindOf(known) : "unusable"
    if (isAnswer(known) && (kind === "answer" || (kind === "failure" && isReplayOnly))) {
      return { ...known, isRecorded: true as const }
    }
    if (isReplayOnly) throw missing(request, name)
    const answer = await ask()
    // A file that has no answer is replaced. In a fresh run, the first answer of the run stays.
    const replaces = (isFresh && !own.has(key)) || known !== undefined
    const kept = await cache.keep(key, answer, { replaces, before: freshSince })
    own.add(key)
    if (isAnswer(kept) && kindOf(kept) === "answer") return kept
    // The failure of another process gives way to an answer.
    if (kept !== answer && kindOf(answer) === "answer") await cache.keep(key, answer, { replaces: true })
    return answer
  }
  return {
    isReplayOnly,
    answer(request, ask, { kindOf = always, isAlone = false } = {}) {
      const key = responseKey(request)
      if (isAlone) return get(key, request, ask, kindOf)
      const asked = pending.get(key)
      if (asked !== undefined) return asked
      const answer = get(key, request, ask, kindOf).finally(() => pending.delete(key))
      pending.set(key, answer)
      return answer
    },
  }
}

const always: KindOf = () => "answer"

/** Returns whether a value of a file can be used as an answer. Any other one is asked again. */
function isAnswer(value: unknown): value is ChatAnswer {
  if (!isJsonObject(value)) return false
  const { text, toolCalls, latencyMs, body, usage } = value
  const isText = text === null || typeof text === "string"
  return isText && Array.isArray(toolCalls) && typeof latencyMs === "number" && isJsonObject(body) && isUsage(usage)
}

function isUsage(usage: unknown): boolean {
  if (usage === null) return true
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = fieldsOf(usage)
  return [prompt, completion, total].every((count) => count === null || typeof count === "number")
}

function missing({ baseUrl, model }: RecordedRequest, name: string): AssayError {
  const what = `A request to '${model}' at ${maskUrlUser(baseUrl)} has no recorded answer in '${name}'`
  return new AssayError("recording_missing", `${what}, and a replay sends none; run once without replaying.`)
}
