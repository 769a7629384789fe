import type { CheckAnswer, GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { useEffect, useRef, useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import { askingWorkspace, checkRequest } from "./check-request.ts"
import type { GivenModels } from "./missing-models.tsx"
import type { SavedPrompt } from "./use-saved-prompts.ts"

/** The decision of a guardrail about a saved prompt. */
export type Outcome = { readonly status: CheckAnswer["status"] } | { readonly error: string }

const AT_ONCE = 3

/** Tries a guardrail on saved prompts, and returns each outcome when it comes. Leaving the page stops it. */
export function useRegression(configuration: GuardrailConfiguration) {
  const { guardrails } = useClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (prompts: readonly SavedPrompt[], given: GivenModels, data: GuardrailData | undefined) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const waiting = [...prompts.entries()]
    const askOne = async (message: string): Promise<Outcome> => {
      try {
        const body = checkRequest(configuration, { message, answer: "", given, data })
        return { status: (await guardrails.check(askingWorkspace(configuration), body, { signal })).status }
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) }
      }
    }
    const ask = async () => {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
        const [index, { prompt }] = next
        const outcome = await askOne(prompt)
        if (!signal.aborted) setOutcomes((all) => new Map(all).set(index, outcome))
      }
    }
    setOutcomes(new Map())
    setRunning(true)
    await Promise.all(Array.from({ length: AT_ONCE }, ask))
    if (!signal.aborted) setRunning(false)
  }
  const stop = () => {
    running.current?.abort()
    setRunning(false)
  }
  return { outcomes, isRunning, run, stop, clear: () => setOutcomes(new Map()) }
}
