import {
  isAssayError,
  secretsNamedIn,
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
  const secrets = secretsNamedIn({ target, config }, namespace)
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
