import { isObject } from "@assay/json"
import type { GuardrailConfiguration } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import { askingWorkspace } from "./check-request.ts"

/** A prompt that a guardrail is tried on. Calibrations read the same rows. */
export interface SavedPrompt {
  readonly prompt: string
  /** Whether the guardrail has to block it. */
  readonly label: "safe" | "unsafe"
}

/** The dataset of a workspace with one file for each of its guardrails. */
const FILESET = "guardrail-prompts"
export const MAX_PROMPTS = 200

/** Reads and writes the saved prompts of a guardrail. */
export function useSavedPrompts(configuration: GuardrailConfiguration) {
  const client = useClient()
  const queries = useQueryClient()
  const workspace = askingWorkspace(configuration)
  const path = `${configuration.workspace}/${configuration.name}.jsonl`
  const queryKey = ["guardrails", "prompts", workspace, path]
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly SavedPrompt[]> => {
      try {
        const { data: rows } = await client.rows.page(workspace, FILESET, { path, limit: MAX_PROMPTS }, { signal })
        return rows.flatMap(({ row }) => promptOf(row))
      } catch (failure) {
        if (isAssayError(failure, "not_found")) return []
        throw failure
      }
    },
    retry: false,
  })
  const save = useMutation({
    mutationFn: async (prompts: readonly SavedPrompt[]) => {
      const lines = prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join("")
      const write = () => client.files.write(workspace, FILESET, path, new TextEncoder().encode(lines))
      try {
        await write()
      } catch (failure) {
        if (!isAssayError(failure, "not_found")) throw failure
        const description = "Prompts that guardrails are tried on."
        await client.filesets.create(workspace, { name: FILESET, purpose: "dataset", description })
        await write()
      }
      return prompts
    },
    onSuccess: (prompts) => queries.setQueryData(queryKey, prompts),
  })
  return { prompts: data, error, save, dataset: `${workspace}/${FILESET}#${path}` }
}

function promptOf(row: unknown): readonly SavedPrompt[] {
  if (!isObject(row) || typeof row["prompt"] !== "string") return []
  return [{ prompt: row["prompt"], label: row["label"] === "unsafe" ? "unsafe" : "safe" }]
}
