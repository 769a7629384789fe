import type { DocumentKind } from "../tables/tables.ts"

/**
 * Kinds of documents: records with a name, a description and free-form `data`, which the caller checks. The key is the value
 * in the column `kind`.
 */
export const DOCUMENT_KINDS = {
  guardrail_configurations: { noun: "Guardrail configuration", idPrefix: "guardrail" },
  evaluation_targets: { noun: "Evaluation target", idPrefix: "eval-target" },
  evaluation_configurations: { noun: "Evaluation configuration", idPrefix: "eval-config" },
  evaluation_baselines: { noun: "Baseline", idPrefix: "eval-baseline" },
} as const satisfies Record<DocumentKind, { readonly noun: string; readonly idPrefix: string }>

export type DocumentNoun = (typeof DOCUMENT_KINDS)[DocumentKind]["noun"]
