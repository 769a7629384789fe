import { Type } from "@sinclair/typebox"
import {
  type ConditionFinder,
  isConditionFindings,
  readRecord,
  type RunStore,
  runFiles,
  writeJson,
} from "@assay/executors"

const NotedFindings = Type.Object({ attempt: Type.Integer({ minimum: 1 }), findings: Type.Unknown() })

export interface FindingsOptions {
  readonly index: number
  readonly attempt: number
  readonly finder: Pick<ConditionFinder, "findings" | "addFindings">
}

/**
 * Adds what an earlier process of an attempt has noted to a finder, and returns what notes the findings from then on. Without it, a shard whose process
 * is killed would forget the advice on the rows that failed before.
 */
export async function openFindings(
  store: RunStore,
  { index, attempt, finder }: FindingsOptions,
): Promise<{ readonly write: () => Promise<void> }> {
  const path = runFiles.findings(index)
  const noted = await readRecord(store, path, NotedFindings)
  if (noted?.attempt === attempt && isConditionFindings(noted.findings)) {
    finder.addFindings(noted.findings)
  }
  let written = JSON.stringify(finder.findings())
  return {
    async write() {
      const findings = finder.findings()
      const text = JSON.stringify(findings)
      if (text === written) return
      await writeJson(store, path, { attempt, findings })
      written = text
    },
  }
}
