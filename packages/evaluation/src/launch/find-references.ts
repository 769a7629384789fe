import {
  isAssayError,
  parseSecretRef,
  type EvaluationConfigBody,
  type EvaluationTargetBody,
  type SecretAddress,
} from "@assay/schemas"
import { filesUrlOf } from "../datasets/files-url-of.ts"
import type { FilesUrl } from "../datasets/files-url.ts"
import { findDatasets } from "./find-datasets.ts"
import { namedGuardrails } from "./named-guardrails.ts"
import type { LaunchSubject } from "./launch-subject.ts"

/** What of a registry a job names, wherever it lies. */
export interface JobReferences {
  /** Filesets of its datasets; what is malformed is left out. */
  readonly filesets: readonly Pick<FilesUrl, "workspace" | "name">[]
  readonly secrets: readonly SecretAddress[]
  /** Of `content_safety`: `name` or `workspace/name`. */
  readonly guardrails: readonly string[]
}

/** The filesets, secrets and guardrail configurations that target and configuration name. */
export function findReferences({ target, config, namespace }: LaunchSubject): JobReferences {
  const secrets: SecretAddress[] = []

  function visit(value: unknown): void {
    if (typeof value !== "object" || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (typeof part !== "string") visit(part)
      else if (name.endsWith("_secret")) secrets.push(parseSecretRef(part, namespace))
    }
  }

  const { rows: _data, ...rest } = target
  visit(rest)
  visit(config)
  // A harness gets secrets under names of its own.
  for (const reference of Object.values(config.harness?.secrets ?? {}))
    secrets.push(parseSecretRef(reference, namespace))
  const guardrails = namedGuardrails(config).flatMap(({ guardrail }) =>
    typeof guardrail === "string" ? [guardrail] : [],
  )
  return { filesets: filesetsOf(target, config, namespace), secrets, guardrails }
}

function filesetsOf(
  target: EvaluationTargetBody,
  config: EvaluationConfigBody,
  namespace: string,
): JobReferences["filesets"] {
  return findDatasets(target, config).flatMap(({ dataset }) => {
    try {
      const { workspace, name } = filesUrlOf(dataset, namespace)
      return [{ workspace, name }]
    } catch (error) {
      if (isAssayError(error, "dataset_format")) return []
      throw error
    }
  })
}
