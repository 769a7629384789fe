import { fieldsOf } from "@assay/json"
import type { OpenedEvaluationFile } from "@assay/local"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** The results that the jobs of a file print. */
export interface JobResults {
  /** Returns the context of one job. With `--json`, its result is kept instead of printed. */
  readonly contextOf: (file: Pick<OpenedEvaluationFile, "label">) => Context
  /** Prints what was kept as one document: a list with the results of the jobs, each with its `label`. */
  readonly print: () => Promise<void>
}

/** Opens the results of the jobs of a file. Those of several jobs are one document with `--json`, and that of a single job is printed as it is. */
export function openJobResults(context: Context, files: readonly unknown[], { json }: JsonOption): JobResults {
  if (json !== true || files.length < 2) return { contextOf: () => context, print: async () => {} }
  const kept: object[] = []
  return {
    contextOf: ({ label }) => ({
      ...context,
      keepResult: (result: unknown) => void kept.push({ label, ...fieldsOf(result) }),
    }),
    print: async () => {
      if (kept.length > 0) await print(context, { json }, kept, () => "")
    },
  }
}
